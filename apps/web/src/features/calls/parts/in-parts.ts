/** Calls of one request. So many are done before an action can be stopped. */
export const partSize = 100

/** How far an action came that was done part by part. */
export interface Outcome<Result> {
  /** Results of the completed parts, in order. */
  results: Result[]
  /** How many of the ids the done parts hold. */
  done: number
  /** Whether it was stopped before all were done. */
  isStopped: boolean
  /** Why the part after those failed. Undefined where none did. */
  error?: unknown
}

interface Options {
  /** Ends it before the next part. */
  signal: AbortSignal
  /** Called after each part with the number of ids that are done. */
  onDone: (done: number) => void
}

/**
 * Does something with ids in parts of `partSize`, one after the other. It ends at the first part that fails: earlier parts stay done,
 * and is notified.
 */
export async function inParts<Result>(
  ids: readonly string[],
  { signal, onDone }: Options,
  act: (part: readonly string[], signal: AbortSignal) => Promise<Result>,
): Promise<Outcome<Result>> {
  const results: Result[] = []
  let done = 0
  while (done < ids.length) {
    if (signal.aborted) return { results, done, isStopped: true }
    const part = ids.slice(done, done + partSize)
    try {
      results.push(await act(part, signal))
    } catch (error) {
      return signal.aborted ? { results, done, isStopped: true } : { results, done, isStopped: false, error }
    }
    done += part.length
    onDone(done)
  }
  return { results, done, isStopped: false }
}
