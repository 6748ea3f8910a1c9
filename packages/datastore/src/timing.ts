/** Time and chance, so that tests decide about both. */
export interface Timing {
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  /** 0 to below 1. */
  random(): number
  /** Calls back once after so many milliseconds. Returns how to call it off. */
  after(ms: number, callback: () => void): () => void
}

/** Those of this process. */
export const systemTiming: Timing = {
  now: () => performance.now(),
  random: Math.random,
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Resolves after so many milliseconds. */
export function sleep(timing: Timing, ms: number): Promise<void> {
  return new Promise((resolve) => void timing.after(ms, resolve))
}
