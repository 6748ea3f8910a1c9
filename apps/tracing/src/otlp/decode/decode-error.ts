/** Why bytes could not be read: not OTLP, nested too deeply, or more parts than their size allows. */
export type DecodeFailure = 'malformed' | 'too_deep' | 'too_many'

/** An export request that cannot be read. The message includes the location. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError'
  readonly failure: DecodeFailure

  constructor(failure: DecodeFailure, message: string) {
    super(message)
    this.failure = failure
  }
}
