/** Rejects with the reason of the signal as soon as it aborts. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await promise
  const ended = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended.signal })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    ended.abort()
    promise.catch(() => undefined)
  }
}
