/** Bounds of an LRU cache. */
export interface EntryBound {
  maxSize: number
  sizeCalculation: () => number
}

/**
 * Options of an LRU cache with at most so many entries. With `max`, it would fill lists of that length when it is created: 0.9 ms of processor time and
 * 0.2 MB for 10,000 entries.
 */
export function atMost(entries: number): EntryBound {
  return { maxSize: entries, sizeCalculation: () => 1 }
}
