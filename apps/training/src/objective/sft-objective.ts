/** The labelled tokens of an example, aligned with its tokens. */
export interface LabelledTokens {
  /** 1 on labelled tokens. */
  labels: Uint8Array
  /** Log-probabilities under the weights being trained, in nats. */
  now: ArrayLike<number>
}

export interface SftObjective {
  /** The part of these examples in the loss of their batch. */
  loss: number
  /** The derivative of the batch's loss by each log-probability. */
  coefficients: Float64Array[]
}

/**
 * The token mean over a batch of minus the log-probability, not a mean of the examples' means. `labelledTokens` is the count of the whole batch, of
 * which `examples` may be a part.
 */
export function sftObjective(examples: readonly LabelledTokens[], labelledTokens: number): SftObjective {
  let sum = 0
  const coefficients = examples.map(({ labels, now }) => {
    const each = new Float64Array(labels.length)
    for (let t = 0; t < labels.length; t++) {
      if (labels[t] === 0) continue
      sum += now[t]!
      each[t] = -1 / labelledTokens
    }
    return each
  })
  return { loss: labelledTokens === 0 ? 0 : -sum / labelledTokens, coefficients }
}
