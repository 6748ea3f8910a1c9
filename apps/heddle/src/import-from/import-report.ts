/** What an import wrote, and what it could not take. */
export interface ImportReport {
  /** Counts by kind, such as `spans`. */
  readonly taken: ReadonlyMap<string, number>
  /** Counts by a sentence that says what was left out and why. */
  readonly left: ReadonlyMap<string, number>
}

export interface ImportCounts extends ImportReport {
  count(kind: string, number?: number): void
  leave(what: string, reason: string, number?: number): void
}

export function createImportCounts(): ImportCounts {
  const taken = new Map<string, number>()
  const left = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string, number: number) => void counts.set(key, (counts.get(key) ?? 0) + number)
  return {
    taken,
    left,
    count: (kind, number = 1) => add(taken, kind, number),
    leave: (what, reason, number = 1) => add(left, `${what} (${reason})`, number),
  }
}

/** Lines for a person. */
export function linesOf({ taken, left }: ImportReport): string[] {
  const counted = (counts: ReadonlyMap<string, number>) => [...counts].map(([what, count]) => `${what}: ${count.toLocaleString('en')}`)
  return [
    taken.size > 0 ? `Imported ${counted(taken).join(', ')}` : 'Imported nothing',
    ...(left.size > 0 ? ['Not imported'] : []),
    ...counted(left).map((line) => `  ${line}`),
  ]
}
