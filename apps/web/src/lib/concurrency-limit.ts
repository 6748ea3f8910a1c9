/** Runs work with limited concurrency, in order of arrival. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Work that is aborted while it waits is not begun. */
export function createConcurrencyLimit(most: number): ConcurrencyLimit {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work, signal) => {
    // A waiter takes over the slot of finished work.
    if (running < most) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
