/**
 * `refused`: the address may not be used. `unreachable`: no answer, or half of one. `timeout`: it took too long. `too_large`: the answer is longer
 * than it may be. `redirects`: it was sent on too often.
 */
export type OutgoingErrorKind = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'redirects'

/** A request that was not made, or brought no whole answer. The message names the host, never a query, a secret or a body. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'
  readonly kind: OutgoingErrorKind

  constructor(kind: OutgoingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
