/** A clock that moves only when a test advances it, by the current wait. */
export interface SteppedClock {
  nowMs(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Waits until something sleeps, lets that time pass, and returns its length. */
  next(): Promise<number>
}

export function createSteppedClock(): SteppedClock {
  let now = 0
  let sleeper: { ms: number; wake: () => void } | null = null
  let onSleep: (() => void) | null = null
  return {
    nowMs: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = () => {
          signal.removeEventListener('abort', wake)
          resolve()
        }
        sleeper = { ms, wake }
        signal.addEventListener('abort', wake)
        onSleep?.()
      }),
    async next() {
      if (!sleeper) await new Promise<void>((resolve) => (onSleep = resolve))
      onSleep = null
      const { ms, wake } = sleeper!
      sleeper = null
      now += ms
      wake()
      return ms
    },
  }
}
