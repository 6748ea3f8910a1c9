/**
 * `refused`: the target is not allowed. `unreachable`: no response, or an incomplete one. `timeout`: it took too long. `too_large`: the response is
 * longer than allowed. `redirects`: too many redirects.
 */
export type OutgoingErrorKind = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'redirects'

/** A request that was not sent, or had no complete response. The message names the host, never a query, a secret or a body. */
export class OutgoingError extends Error {
  override readonly name = 'OutgoingError'
  readonly kind: OutgoingErrorKind

  constructor(kind: OutgoingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
