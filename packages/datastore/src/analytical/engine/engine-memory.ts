const share = 0.4
const most = 6e9
/** Positions in table files that the engine keeps, of its memory. */
const markCacheShare = 1 / 8
const mostOfMarkCache = 256 * 1024 ** 2

/** Memory limit in bytes of an engine on a system where all processes together may use `limitBytes`. */
export function defaultEngineMemory(limitBytes: number): number {
  return Math.floor(Math.min(most, limitBytes * share))
}

/** Bytes of the engine's memory that it uses for positions in files. */
export function markCacheBytes(memoryLimitBytes: number): number {
  return Math.floor(Math.min(mostOfMarkCache, memoryLimitBytes * markCacheShare))
}
