/** Clock, timers and randomness, injected so that tests control them. */
export interface Timing {
  /** Monotonic clock in milliseconds. */
  now(): number
  /** A number in [0, 1). */
  random(): number
  /** Calls `callback` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
}

/** The timing of this process. */
export const systemTiming: Timing = {
  now: () => performance.now(),
  random: Math.random,
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `ms` milliseconds. */
export function sleep(timing: Timing, ms: number): Promise<void> {
  return new Promise((resolve) => void timing.after(ms, resolve))
}
