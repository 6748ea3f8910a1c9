/** Mutual exclusion by key, within one server or across several. */
export interface KeyedLock {
  /**
   * Runs `work` while holding all keys exclusively. Keys are acquired in a fixed order, so there are no deadlocks.
   * Not reentrant: `work` must not acquire further locks.
   * @throws StoreError `busy` when the keys cannot be acquired in time; `work` has then not run.
   */
  withKeys<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
}

/** The distinct keys in acquisition order. */
export function lockOrder(keys: readonly string[]): string[] {
  return [...new Set(keys)].toSorted()
}
