/** Runs work, at most so much of it at a time, in the order in which it came. */
export type FewAtATime = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** Work that is aborted while it waits is not begun. */
export function createFewAtATime(most: number): FewAtATime {
  let running = 0
  const waiting: (() => void)[] = []

  return async (work, signal) => {
    // Who waits takes the place of what has ended.
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
