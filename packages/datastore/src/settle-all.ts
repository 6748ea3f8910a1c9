/** Waits for all promises to settle, and only then rejects with the first rejection. */
export async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(works)) if (outcome.status === 'rejected') throw outcome.reason
}
