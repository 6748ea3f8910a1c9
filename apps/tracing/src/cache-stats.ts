import type { LRUCache } from 'lru-cache'

/** How full a cache is, for the stats of the service. */
export interface CacheStats {
  /** Resource and content, as in `calls.pages`. */
  name: string
  entries: number
  /** Null where bytes alone are bounded. */
  max_entries: number | null
  /** Bytes of memory, by estimate; null where they are not counted, as entries are bounded and small. */
  bytes: number | null
  max_bytes: number | null
}

type Sized = Pick<LRUCache<string, object>, 'size' | 'max' | 'maxSize' | 'calculatedSize'>

/** The stats of an LRU cache. */
export function lruStats(name: string, cache: Sized): CacheStats {
  const countsBytes = cache.maxSize > 0
  return {
    name,
    entries: cache.size,
    max_entries: cache.max > 0 ? cache.max : null,
    bytes: countsBytes ? cache.calculatedSize : null,
    max_bytes: countsBytes ? cache.maxSize : null,
  }
}
