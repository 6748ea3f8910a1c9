import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { LRUCache } from 'lru-cache'
import { type CacheStats, lruStats } from '../../cache-stats.ts'
import type { ProjectWrites } from '../calls/cache/project-writes.ts'

/** What was computed, and its cost to keep. */
export interface Computed<T> {
  value: T
  /** Bytes of memory, by estimate; null for what must not be kept. */
  bytes: number | null
}

/** What was computed from the calls of a project, as long as no call of it is written. */
export interface ResultsCache {
  /**
   * What is kept under a key, or what `compute` gives. Calls that expire take it along: `until` tells when the first of them does.
   * Nothing is kept while calls are being written, nor where other servers write to the same store.
   */
  get<T extends object>(project: ProjectScope, key: string, compute: () => Promise<Computed<T>>, until?: (value: T) => Micros): Promise<T>
  stats(): CacheStats[]
}

interface Entry {
  value: object
  writes: number
  until: Micros
  bytes: number
}

export function createResultsCache({
  writes,
  clock,
  maxBytes,
}: {
  writes: ProjectWrites
  clock: () => Micros
  maxBytes: number
}): ResultsCache {
  const kept = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => Math.max(Math.ceil(bytes), 1) })
  return {
    async get<T extends object>(
      project: ProjectScope,
      key: string,
      compute: () => Promise<Computed<T>>,
      until: (value: T) => Micros = () => Number.POSITIVE_INFINITY,
    ): Promise<T> {
      const name = `${project.id}\0${key}`
      const count = writes.countOf(project.id)
      const known = kept.get(name)
      if (known !== undefined && known.writes === count && known.until > clock()) return known.value as T
      const { value, bytes } = await compute()
      const isCurrent = count !== undefined && count === writes.countOf(project.id)
      if (isCurrent && bytes !== null) kept.set(name, { value, writes: count, until: until(value), bytes })
      return value
    },
    stats: () => [lruStats('eval_results.computed', kept)],
  }
}
