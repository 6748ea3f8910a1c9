import type { WorkScope } from '../work/work-scope.ts'

/** Mutual exclusion by key, within one server or across several. */
export interface KeyedLock {
  /**
   * Runs `work` while holding all keys exclusively. The part of a key before its last NUL is its namespace: a caller with many keys may exclude all
   * other callers of their namespaces. Keys are acquired in a fixed order, so there are no deadlocks. Not reentrant: `work` must not acquire further
   * locks. A caller whose scope aborts while it waits leaves the queue immediately; `work` that has started is not interrupted.
   * @throws StoreError `busy` when the keys cannot be acquired in time, `cancelled` when the scope aborts first; `work` has then not run.
   */
  withKeys<T>(scope: Pick<WorkScope, 'signal'>, keys: readonly string[], work: () => Promise<T>): Promise<T>
}

/** The distinct keys in acquisition order. */
export function lockOrder(keys: readonly string[]): string[] {
  return [...new Set(keys)].toSorted()
}
