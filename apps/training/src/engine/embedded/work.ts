/** Work that may pause at each yield; where it yields a promise it must. */
export type Work<T> = Generator<void | Promise<void>, T>

/** Runs all of the work in this thread, and waits for what other threads do. */
export async function finishWithWaits<T>(work: Work<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await value
  }
}

/** Runs all of the work in this thread. `pause` is called wherever it may pause. */
export function finish<T>(work: Work<T>, pause?: () => void): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    pause?.()
    if (value instanceof Promise) throw new Error('work that waits for other threads cannot be done at once')
  }
}
