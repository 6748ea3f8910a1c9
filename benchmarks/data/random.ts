/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  pick<T>(list: readonly [T, ...T[]]): T
  bytes(count: number): Buffer
}

/** The generator mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (list) => list[below(list.length)] ?? list[0],
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  }
}
