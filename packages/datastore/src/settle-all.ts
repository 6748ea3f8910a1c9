/** Waits until all is over, however it ends, and only then rejects with the first of what went wrong. */
export async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}
