/**
 * Why an operation of the store failed. `damaged`: stored data cannot be read as it was written; the message names it, and nothing that users may not
 * see. `data`: a value was rejected. `complex`: the statement is too large or too deep to ever run. `cancelled`: the caller no longer waits for the
 * result.
 */
export type StoreErrorKind =
  | 'busy'
  | 'unavailable'
  | 'timeout'
  | 'memory'
  | 'full'
  | 'data'
  | 'complex'
  | 'damaged'
  | 'failed'
  | 'cancelled'

export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind
  /** Seconds after which the same request may succeed; for `busy`, `unavailable` and `full`. */
  readonly retryAfterSeconds: number

  constructor(kind: StoreErrorKind, message: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1
  }
}
