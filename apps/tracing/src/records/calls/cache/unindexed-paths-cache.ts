import type { CallRow } from '@heddle/datastore'
import { LRUCache } from 'lru-cache'
import type { CacheStats } from '../../../cache-stats.ts'
import type { CallsCacheStore } from './calls-cache-store.ts'
import { createUnindexedPaths, maxCharacters, type UnindexedPaths } from './unindexed-paths.ts'

/** Knowledge of the paths that the index of calls omits, without reading the store. */
export interface UnindexedPathsCache {
  /** Whether a call of the project may have one of the entries, paths between bars, unindexed; undefined if the store must be read. */
  of(projectId: string): ((entries: readonly string[]) => boolean) | undefined
  /** Stores rows: before they can be read, their unindexed paths are known. */
  storing(rows: Iterable<Pick<CallRow, 'project_id' | 'idx_gaps'>>, store: () => Promise<void>): Promise<void>
  stats(): CacheStats[]
}

const maxProjects = 200
/** Most different lists of one project; with more, the store is read each time. */
const maxLists = 2_000

/** For servers that share their store with other servers, whose calls may have other unindexed paths. */
export const noUnindexedPathsCache: UnindexedPathsCache = { of: () => undefined, storing: (_, store) => store(), stats: () => [] }

/** For the only server of a store: the stored paths are read once for each project, and then every write adds to them. */
export function createUnindexedPathsCache(store: Pick<CallsCacheStore, 'readUnindexed'>): UnindexedPathsCache {
  const projects = new LRUCache<string, UnindexedPaths>({ max: maxProjects })
  const underWay = new Set<Promise<void>>()

  async function load(projectId: string, paths: UnindexedPaths): Promise<void> {
    // Rows being stored are not included: their paths have not been added, and they may not be readable yet.
    await Promise.allSettled(underWay)
    const lists = await store.readUnindexed(projectId, maxLists + 1)
    if (lists.length > maxLists) paths.giveUp()
    for (const list of lists) paths.add(list)
    paths.complete()
  }

  return {
    of(projectId) {
      const known = projects.get(projectId)
      if (known !== undefined) return known.isKnown() ? (entries) => known.hasAny(entries) : undefined
      const paths = createUnindexedPaths()
      projects.set(projectId, paths)
      // Another query tries again.
      load(projectId, paths).catch(() => projects.delete(projectId))
      return undefined
    },

    async storing(rows, append) {
      for (const row of rows) projects.peek(row.project_id)?.add(row.idx_gaps)
      const stored = append()
      underWay.add(stored)
      try {
        await stored
      } finally {
        underWay.delete(stored)
      }
    },

    stats() {
      let characters = 0
      for (const paths of projects.values()) characters += paths.characters()
      return [
        {
          name: 'calls.unindexed_paths',
          entries: projects.size,
          max_entries: maxProjects,
          bytes: 2 * characters,
          max_bytes: 2 * maxProjects * maxCharacters,
        },
      ]
    },
  }
}
