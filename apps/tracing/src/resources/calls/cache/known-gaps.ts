import type { CallRow } from '@heddle/datastore'
import { LRUCache } from 'lru-cache'
import { listedGaps } from '../../../query/index-path.ts'

/** What is known, without asking the store, of the paths that the index of calls leaves out. */
export interface KnownGaps {
  /** Whether a call of the project may have one of the entries, paths between bars, among its gaps; undefined while only the store can tell. */
  of(projectId: string): ((entries: readonly string[]) => boolean) | undefined
  /** Stores rows: before they can be read, their gaps are known. */
  storing(rows: Iterable<Pick<CallRow, 'project_id' | 'idx_gaps'>>, store: () => Promise<void>): Promise<void>
}

interface KnownGapsOptions {
  /** The different `idx_gaps` of all calls of a project, at most `limit`. */
  read(projectId: string, limit: number): Promise<string[]>
}

const maxProjects = 200
/** Of one project; where there are more, the store is asked each time. */
const maxLists = 2_000
const maxEntries = 2_000
const maxCharacters = 100_000

/** For servers that share their store with others, which may add gaps. */
export const noKnownGaps: KnownGaps = { of: () => undefined, storing: (_, store) => store() }

/** For the only server of a store: what is stored is read once for each project, and then every write adds to it. */
export function createKnownGaps({ read }: KnownGapsOptions): KnownGaps {
  const projects = new LRUCache<string, ProjectGaps>({ max: maxProjects })
  const underWay = new Set<Promise<void>>()

  async function load(projectId: string, gaps: ProjectGaps): Promise<void> {
    // What is being stored just now is not among them: its gaps were added to nothing, and it may not be readable yet.
    await Promise.allSettled(underWay)
    const lists = await read(projectId, maxLists + 1)
    if (lists.length > maxLists) gaps.giveUp()
    for (const list of lists) gaps.add(list)
    gaps.isComplete = true
  }

  return {
    of(projectId) {
      const known = projects.get(projectId)
      if (known === undefined) {
        const gaps = new ProjectGaps()
        projects.set(projectId, gaps)
        // Another question tries again.
        load(projectId, gaps).catch(() => projects.delete(projectId))
        return undefined
      }
      return known.isComplete && !known.areTooMany ? (entries) => known.hasAny(entries) : undefined
    },

    async storing(rows, store) {
      for (const row of rows) projects.peek(row.project_id)?.add(row.idx_gaps)
      const stored = store()
      underWay.add(stored)
      try {
        await stored
      } finally {
        underWay.delete(stored)
      }
    },
  }
}

/** The gaps of one project. One that is known and no longer there only makes answers slower. */
class ProjectGaps {
  isComplete = false
  areTooMany = false
  readonly #entries = new Set<string>()
  #characters = 0
  #last: string | undefined

  /** Takes in an `idx_gaps`. */
  add(list: string): void {
    if (list === this.#last || this.areTooMany) return
    this.#last = list
    for (const path of listedGaps(list)) if (!this.#entries.has(path)) this.#addPath(path)
  }

  #addPath(path: string): void {
    this.#entries.add(path)
    this.#characters += path.length
    if (this.#entries.size > maxEntries || this.#characters > maxCharacters) this.giveUp()
  }

  giveUp(): void {
    this.areTooMany = true
    this.#entries.clear()
  }

  /** `entries` are paths between bars, as a list holds them. */
  hasAny(entries: readonly string[]): boolean {
    return this.#entries.has('*') || entries.some((entry) => this.#entries.has(entry.slice(1, -1)))
  }
}
