const engineShare = 0.4
const maxEngineBytes = 6e9
/** Share of the engine's memory for its mark cache: positions in table files. */
const markCacheShare = 1 / 8
const maxMarkCacheBytes = 256 * 1024 ** 2

/** Memory limit in bytes of an engine on a system where all processes together may use `limitBytes`. */
export function defaultEngineMemory(limitBytes: number): number {
  return Math.floor(Math.min(maxEngineBytes, limitBytes * engineShare))
}

/** Bytes of the engine's memory for its mark cache. */
export function markCacheBytes(memoryLimitBytes: number): number {
  return Math.floor(Math.min(maxMarkCacheBytes, memoryLimitBytes * markCacheShare))
}
