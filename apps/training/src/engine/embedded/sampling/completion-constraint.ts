/** What a completion may sample next. It is found while others are sampled, so it may have to be waited for. */
export interface CompletionConstraint {
  /** False while what may come next is being found. */
  readonly isReady: boolean
  /** The text is complete, and nothing but a stop token may follow. */
  readonly mustEnd: boolean
  /** 1 for each token that may come next, 0 for every other one. @throws EngineError when none may, or it could not be found */
  readAllowed(): Uint8Array
  /** Says what was sampled. From then on it is not ready until it is known what may follow. */
  accept(token: number): void
  /** Gives up what is kept for the completion. Safe to call again. */
  close(): void
}
