/** The tokens of a sequence as the loss sees them. Arrays have equal length; log-probabilities are in nats. */
export interface SequenceTokens {
  /** 1 on sampled tokens, which alone count. */
  mask: Uint8Array
  /** Under the weights being trained. */
  now: ArrayLike<number>
  /** Under the policy that sampled, or recomputed before the first step. What is not finite is missing: the current value stands in for it, as a constant. */
  old: ArrayLike<number>
  /** Under the reference of the KL penalty. */
  reference: ArrayLike<number> | null
  /** As they were sent, where `old` was recomputed; what is not finite is missing. */
  original: ArrayLike<number> | null
  /** Of the job, after balance and rescaling. */
  advantages: Float64Array
  weights: Float64Array
}
