/** Lets one writer at a time work on what a key names, on one server or on several. */
export interface KeyedLock {
  /**
   * Runs `work` while no other holder of any of the keys runs. Keys are taken in one order, so holders never wait in a circle.
   * Not reentrant: `work` takes no further lock.
   * @throws StoreError `busy` when the keys are not free in time; `work` has then not run.
   */
  withKeys<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>
}

/** The keys in the order in which every holder takes them, each once. */
export function lockOrder(keys: readonly string[]): string[] {
  return [...new Set(keys)].toSorted()
}
