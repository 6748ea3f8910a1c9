/** Time and chance, so that tests decide about both. */
export interface Clock {
  /** Milliseconds that only ever grow. */
  now(): number
  /** Milliseconds since 1970. */
  wallClock(): number
  /** From 0 up to, but not, 1. */
  random(): number
  /** Calls back after so many milliseconds, and does not keep the process alive for it. Returns how to cancel. */
  after(ms: number, callback: () => void): () => void
}

export function createSystemClock(): Clock {
  return {
    now: () => performance.now(),
    wallClock: () => Date.now(),
    random: Math.random,
    after(ms, callback) {
      const timer: unknown = setTimeout(callback, ms)
      if (canUnref(timer)) timer.unref()
      return () => clearTimeout(timer as number)
    },
  }
}

/** Node answers with an object where browsers give a number. */
function canUnref(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer
}

/** Resolves after so many milliseconds, or at once when the signal ends it. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', wake)
      resolve()
    })
    const wake = () => {
      cancel()
      resolve()
    }
    signal.addEventListener('abort', wake, { once: true })
  })
}
