import type { Database, Micros } from '@heddle/datastore'

/** A request that its sender may send again. */
export interface RepeatableRequest {
  /** Whose request it is, and of which operation. */
  scope: string
  /** The sender's key. */
  key: string
  /** Digest of its content. */
  fingerprint: string
}

/** How long a response is kept for a repeated request. */
export const repeatMicros = 24 * 3_600_000_000

/** Carries out what can be repeated once. */
export interface RepeatsStore {
  /**
   * The answer of the first request with this key within 24 hours; otherwise that of `work`, which is kept. It is stored in the transaction of the
   * work, so that both exist or neither does. Without a request, `work` always runs.
   * @throws ApiError 409 if the key was used for a request with other content
   */
  once<T>(transaction: Database, request: RepeatableRequest | undefined, at: Micros, work: () => Promise<T>): Promise<T>
  /** Forgets answers that are older than 24 hours. Returns how many. */
  sweep(now: Micros): Promise<number>
}
