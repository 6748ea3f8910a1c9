/** A sweep that is made from time to time. */
export interface RepeatedSweep<Swept> {
  /** Sweeps once, now. */
  sweep(): Promise<Swept>
  /** Ends the sweep under way, and those to come. */
  close(): Promise<void>
}

export interface SweepTimes<Swept> {
  /** Time between two sweeps, and before the first. Default 6 hours. */
  everyMs?: number
  onSwept?: (swept: Swept) => void
  onError: (error: unknown) => void
}

const hourMs = 3_600_000

/** Sweeps one after the other, from time to time; one that takes longer delays the next. The signal tells a sweep to end early. */
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
