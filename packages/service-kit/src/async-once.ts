/** Runs an asynchronous function once for all callers, also for those at the same time. All who wait get its failure; the next call runs it again. */
export function asyncOnce<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= run().catch((error: unknown) => {
      running = undefined
      throw error
    })
    return running
  }
}
