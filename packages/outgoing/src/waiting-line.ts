/** Runs work a few pieces at a time. */
export interface WaitingLine {
  /** Starts in the order of the calls. @throws the reason of the signal where it aborts before or during the work; Error when too many wait */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

/** Work that cannot be cancelled keeps its slot until it ends, even if its result is no longer awaited. */
export function createWaitingLine({ running: maxRunning, waiting: maxWaiting }: { running: number; waiting: number }): WaitingLine {
  const waiting = new Set<() => void>()
  let running = 0

  function startNext(): void {
    const [next] = waiting
    if (next === undefined || running >= maxRunning) return
    waiting.delete(next)
    next()
  }

  return {
    run(work, signal) {
      return new Promise((resolve, reject) => {
        const start = () => {
          running++
          void work()
            .then(resolve, reject)
            .finally(() => {
              signal.removeEventListener('abort', onAbort)
              running--
              startNext()
            })
        }
        const onAbort = () => {
          waiting.delete(start)
          reject(signal.reason as Error)
        }
        if (signal.aborted) return onAbort()
        if (running >= maxRunning && waiting.size >= maxWaiting)
          return reject(new Error(`${maxWaiting} names wait to be looked up already`))
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.add(start)
        startNext()
      })
    },
  }
}
