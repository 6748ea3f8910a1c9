import { LRUCache } from 'lru-cache'

/** What another server has written may stay unseen for this long. */
const sharedMs = 4_000
const maxProjects = 10_000

export interface ProjectsCacheOptions {
  /** True when other servers write to the same store: entries then expire. */
  sharesStore: boolean
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number
}

/** Remembers what was read of projects; those that were idle for longest are forgotten first. */
export function createProjectsCache<Value extends NonNullable<unknown>>({
  sharesStore,
  nowMs,
}: ProjectsCacheOptions): LRUCache<string, Value> {
  const expiry = sharesStore ? { ttl: sharedMs, ttlResolution: 0, perf: { now: () => nowMs() + 1 } } : {}
  return new LRUCache({ max: maxProjects, ...expiry })
}
