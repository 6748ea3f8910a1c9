/** A sweep that runs periodically. */
export interface RepeatedSweep<Swept> {
  /** Sweeps once, now. */
  sweep(): Promise<Swept>
  /** Aborts the current sweep, and stops further ones. */
  close(): Promise<void>
}

export interface SweepTimes<Swept> {
  /** Time between two sweeps, and before the first. Default 6 hours. */
  everyMs?: number
  onSwept?: (swept: Swept) => void
  onError: (error: unknown) => void
}

const hourMs = 3_600_000

/** Sweeps periodically, one sweep at a time; a long sweep delays the next. The signal asks a sweep to end early. */
export function repeatSweep<Swept>(sweepOnce: (signal: AbortSignal) => Promise<Swept>, times: SweepTimes<Swept>): RepeatedSweep<Swept> {
  const { everyMs = 6 * hourMs, onSwept, onError } = times
  const ended = new AbortController()
  let running: Promise<void> | undefined
  const sweep = () => sweepOnce(ended.signal)
  const timer = setInterval(() => {
    running ??= sweep()
      .then(onSwept, onError)
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return {
    sweep,
    async close() {
      clearInterval(timer)
      ended.abort()
      await running
    },
  }
}
