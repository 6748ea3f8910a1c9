import { LRUCache } from 'lru-cache'
import { atMost } from '../at-most.ts'

/** Writes of another server may remain unseen for this long. */
const sharedMs = 4_000
const maxProjects = 10_000

export interface ProjectCacheOptions {
  /** True when other servers write to the same store: entries then expire. */
  sharesStore: boolean
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
}

/** Caches data of projects; those idle for longest are forgotten first. */
export function createProjectLru<Value extends NonNullable<unknown>>({ sharesStore, nowMs }: ProjectCacheOptions): LRUCache<string, Value> {
  const expiry = sharesStore ? { ttl: sharedMs, ttlResolution: 0, perf: { now: () => nowMs() + 1 } } : {}
  return new LRUCache({ ...atMost(maxProjects), ...expiry })
}
