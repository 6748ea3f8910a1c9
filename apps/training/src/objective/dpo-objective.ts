/** Settings of direct preference optimization. */
export interface DpoSettings {
  /** How strongly the reference holds the policy. */
  beta: number
  /** Share of the pairs whose order is assumed to be wrong. */
  labelSmoothing: number
}

/** A completion of a preference pair. Arrays are aligned with its tokens. */
export interface ComparedTokens {
  /** 1 on the tokens of the completion. */
  labels: Uint8Array
  /** Log-probabilities under the weights being trained, in nats. */
  now: ArrayLike<number>
  /** Log-probabilities under the reference. */
  reference: ArrayLike<number>
}

export interface ComparedPair {
  chosen: ComparedTokens
  rejected: ComparedTokens
}

export interface PairObjective {
  loss: number
  /** Implicit rewards: beta times the log-ratio of policy and reference. */
  chosenReward: number
  rejectedReward: number
  /** The derivatives of the batch's loss by each log-probability. */
  chosen: Float64Array
  rejected: Float64Array
}

/**
 * Direct preference optimization (Rafailov et al. 2023, equation 7), with the label smoothing of conservative DPO (Mitchell 2023):
 *
 *     h = beta ((log pi(chosen) - log ref(chosen)) - (log pi(rejected) - log ref(rejected)))
 *     loss = -(1 - e) log sigmoid(h) - e log sigmoid(-h)
 *
 * where log pi of a completion is the sum over its tokens. The loss of a batch is the mean over its pairs, so each coefficient is divided by their
 * number `pairs`.
 */
export function dpoObjective({ chosen, rejected }: ComparedPair, { beta, labelSmoothing }: DpoSettings, pairs: number): PairObjective {
  const chosenReward = beta * logRatio(chosen)
  const rejectedReward = beta * logRatio(rejected)
  const h = chosenReward - rejectedReward
  // d loss / dh
  const slope = labelSmoothing * sigmoid(h) - (1 - labelSmoothing) * sigmoid(-h)
  const coefficient = (beta * slope) / pairs
  return {
    loss: (1 - labelSmoothing) * softplus(-h) + labelSmoothing * softplus(h),
    chosenReward,
    rejectedReward,
    chosen: onLabels(chosen, coefficient),
    rejected: onLabels(rejected, -coefficient),
  }
}

function logRatio({ labels, now, reference }: ComparedTokens): number {
  let sum = 0
  for (let t = 0; t < labels.length; t++) if (labels[t] === 1) sum += now[t]! - reference[t]!
  return sum
}

function onLabels({ labels }: ComparedTokens, value: number): Float64Array {
  return Float64Array.from(labels, (label) => (label === 1 ? value : 0))
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
/** log(1 + exp(x)), exact for large values of either sign. */
const softplus = (x: number) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))
