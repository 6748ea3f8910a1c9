import { setImmediate } from 'node:timers/promises'

const longestTickMs = 8

/** Lets the event loop run whenever the work before has taken a while. @throws the reason of `signal` once it aborts */
export function createPacer(signal: AbortSignal): () => Promise<void> {
  let since = performance.now()
  return async () => {
    signal.throwIfAborted()
    if (performance.now() - since < longestTickMs) return
    await setImmediate()
    signal.throwIfAborted()
    since = performance.now()
  }
}
