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
  /** True: the first sweep begins at once. Default false. */
  isFirstNow?: boolean
  onSwept?: (swept: Swept) => void
  /** Called when a sweep failed, but for one that `close` has ended. */
  onError: (error: unknown) => void
}

const hourMs = 3_600_000

/** Sweeps periodically, one sweep at a time; a long sweep delays the next. The signal asks a sweep to end early. */
export function repeatSweep<Swept>(sweepOnce: (signal: AbortSignal) => Promise<Swept>, times: SweepTimes<Swept>): RepeatedSweep<Swept> {
  const { everyMs = 6 * hourMs, isFirstNow = false, onSwept, onError } = times
  const ended = new AbortController()
  let running: Promise<void> | undefined
  const sweep = () => sweepOnce(ended.signal)
  const report = (error: unknown) => {
    if (!ended.signal.aborted) onError(error)
  }
  const start = () => {
    running ??= sweep()
      .then(onSwept, report)
      .finally(() => {
        running = undefined
      })
  }
  if (isFirstNow) start()
  const timer = setInterval(start, everyMs).unref()
  return {
    sweep,
    async close() {
      clearInterval(timer)
      ended.abort()
      await running
    },
  }
}
