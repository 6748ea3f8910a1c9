import { unindexedPaths } from '../../../query/index-path.ts'

const maxPaths = 2_000
export const maxCharacters = 100_000

/** The paths of one project that the index omits. A path that is no longer present only makes answers slower. */
export interface UnindexedPaths {
  /** Takes in an `idx_gaps`. */
  add(list: string): void
  /** There are too many paths: none is kept, and the store is read each time. */
  giveUp(): void
  /** Called when all that is stored was added. */
  complete(): void
  /** True when all paths of the project are here. */
  isKnown(): boolean
  /** `entries` are paths between bars, as a list holds them. */
  hasAny(entries: readonly string[]): boolean
  /** Characters of all paths. */
  characters(): number
}

export function createUnindexedPaths(): UnindexedPaths {
  const known = new Set<string>()
  let characters = 0
  let isComplete = false
  let areTooMany = false
  let last: string | undefined

  function addPath(path: string): void {
    known.add(path)
    characters += path.length
    if (known.size > maxPaths || characters > maxCharacters) giveUp()
  }

  function giveUp(): void {
    areTooMany = true
    known.clear()
    characters = 0
  }

  return {
    add(list) {
      if (list === last || areTooMany) return
      last = list
      for (const path of unindexedPaths(list)) if (!areTooMany && !known.has(path)) addPath(path)
    },
    giveUp,
    complete() {
      isComplete = true
    },
    isKnown: () => isComplete && !areTooMany,
    hasAny: (entries) => known.has('*') || entries.some((entry) => known.has(entry.slice(1, -1))),
    characters: () => characters,
  }
}
