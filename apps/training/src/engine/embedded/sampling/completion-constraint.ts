/** The permitted next tokens of a completion. They are computed while other completions are sampled, so it may be necessary to wait for them. */
export interface CompletionConstraint {
  /** False while the permitted tokens are being computed. */
  readonly isReady: boolean
  /** The text is complete, and nothing but a stop token may follow. */
  readonly mustEnd: boolean
  /** 1 for each permitted next token, 0 for all others. @throws EngineError if none is permitted, or they could not be computed */
  readAllowed(): Uint8Array
  /** Reports the sampled token. Afterwards it is not ready until the next permitted tokens are known. */
  accept(token: number): void
  /** Releases the state of the completion. Safe to call again. */
  close(): void
}
