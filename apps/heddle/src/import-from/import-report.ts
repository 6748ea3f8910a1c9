/** Counts of the records that an import wrote and skipped. */
export interface ImportReport {
  /** Counts by kind, such as `spans`. */
  readonly imported: ReadonlyMap<string, number>
  /** Counts by kind and reason, such as `scores (their trace is not in the export)`. */
  readonly skipped: ReadonlyMap<string, number>
}

export interface ImportCounts extends ImportReport {
  count(kind: string, number?: number): void
  skip(kind: string, reason: string, number?: number): void
}

export function createImportCounts(): ImportCounts {
  const imported = new Map<string, number>()
  const skipped = new Map<string, number>()
  const add = (counts: Map<string, number>, key: string, number: number) => void counts.set(key, (counts.get(key) ?? 0) + number)
  return {
    imported,
    skipped,
    count: (kind, number = 1) => add(imported, kind, number),
    skip: (kind, reason, number = 1) => add(skipped, `${kind} (${reason})`, number),
  }
}

/** The report as lines of text. */
export function linesOf({ imported, skipped }: ImportReport): string[] {
  const counted = (counts: ReadonlyMap<string, number>) => [...counts].map(([kind, count]) => `${kind}: ${count.toLocaleString('en')}`)
  return [
    imported.size > 0 ? `Imported ${counted(imported).join(', ')}` : 'Imported nothing',
    ...(skipped.size > 0 ? ['Not imported'] : []),
    ...counted(skipped).map((line) => `  ${line}`),
  ]
}
