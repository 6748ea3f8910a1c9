import type { Micros } from '@heddle/datastore'

const counterBits = 20n

/**
 * Versions that only grow: milliseconds of the wall clock in the high bits, a counter in the low 20. A wall clock that jumps back does not take them back.
 * Hybrid logical clock after Kulkarni et al., "Logical Physical Clocks" (2014).
 */
export interface HybridClock {
  /** The next version, above all that this clock gave and above `after`. */
  next(after?: bigint): bigint
}

export function createHybridClock(now: () => Micros): HybridClock {
  let last = 0n
  return {
    next(after = 0n) {
      const wall = versionAt(now())
      const floor = last > after ? last : after
      last = wall > floor ? wall : floor + 1n
      return last
    },
  }
}

/** The first version that a clock gives in the millisecond of a time. */
export function versionAt(time: Micros): bigint {
  return BigInt(Math.max(0, Math.floor(time / 1000))) << counterBits
}

/** When a version was given, to the millisecond. */
export function timeOfVersion(version: bigint): Micros {
  return Number(version >> counterBits) * 1000
}
