/** Queries the relational store for a row. */
export interface HealthStore {
  /** @throws StoreError when the store does not respond */
  check(signal: AbortSignal): Promise<void>
}
