import type { ImportanceSamplingLevel, LossSettings } from './settings/rl-settings.ts'

/*
 * The loss of reinforcement learning and its derivative by the log-probability of each sampled token.
 *
 *   loss(row) = 1/N * sum over the N sampled tokens of the row:  weight_t * truncated_t * token_t
 *
 *   token_t      ppo:   -min(r_t A_t, clip(r_t, 1 - epsilon, 1 + epsilonHigh) A_t)
 *                cispo: -stop_gradient(clip(r_t, 1 - epsilon, 1 + epsilonHigh)) A_t now_t
 *   r_t          exp(now_t - old_t) per token, or by the mean of the sequence; then cap, then mask
 *   A_t          advantage - kimiTau (now_t - old_t) + klCoefficient (mean(kl) - kl_t), without a gradient
 *   kl_t         now_t - reference_t, or old_t - reference_t
 *   truncated_t  min(exp(old_t - original_t), truncation), without a gradient
 *
 * PPO: Schulman et al. 2017, arXiv 1707.06347. Asymmetric bounds: DAPO, Yu et al. 2025, arXiv 2503.14476. CISPO: MiniMax-M1 2025, arXiv 2506.13585.
 * Ratio of a sequence: GSPO, Zheng et al. 2025, arXiv 2507.18071. Drift from the old policy: Kimi k1.5 2025, arXiv 2501.12599.
 * Truncated importance sampling: Yao et al. 2025, "Your Efficient RL Framework Secretly Brings You Off-Policy RL Training".
 * Log-probabilities are in nats. `objective/testing/loss-by-definition.ts` is the same without derivatives.
 */

/** The tokens of a sequence as the loss sees them. Arrays have equal length; log-probabilities are in nats. */
export interface SequenceTokens {
  /** 1 on sampled tokens, which alone count. */
  mask: Uint8Array
  /** Under the weights being trained. */
  now: ArrayLike<number>
  /**
   * Under the policy that sampled, or recomputed before the first step. A non-finite value is missing: it is replaced by the current value, as a
   * constant.
   */
  old: ArrayLike<number>
  /** Under the reference of the KL penalty. */
  reference: ArrayLike<number> | null
  /** As they were sent, if `old` was recomputed; non-finite values are missing. */
  original: ArrayLike<number> | null
  /** Advantages of the job, after balance and rescaling. */
  advantages: Float64Array
  weights: Float64Array
}

/** Facts about the other sequences of a row that the loss of a sequence depends on. */
export interface RowContext {
  /** Sampled tokens of the row. */
  sampledTokens: number
  /** From `meanKlEstimate`; null without a penalty. */
  meanDistance: number | null
}

/** Aligned with the tokens of the sequence; 0 where nothing was sampled. */
export interface SequenceObjective {
  /** The part of the sequence in the loss of its row. */
  loss: number
  /** The derivative of the row's loss by the log-probability of each token: all that an engine needs to learn. */
  coefficients: Float64Array
  /** With weights, before the division by the row's tokens. */
  losses: Float64Array
  /** After the terms that compare policies. */
  advantages: Float64Array
  /** After the level, before cap and mask. */
  levelRatios: Float64Array
  /** Values used in the loss. */
  ratios: Float64Array
}

/**
 * The mean over the sampled tokens of a row of how far they are from the reference, in nats; reported as `kl_policy_ref`.
 * Null without a penalty or a reference.
 */
export function meanKlEstimate(row: readonly SequenceTokens[], settings: LossSettings): number | null {
  if (settings.klCoefficient === 0) return null
  let sum = 0
  let count = 0
  for (const tokens of row) {
    if (tokens.reference === null) return null
    for (let t = 0; t < tokens.mask.length; t++) {
      if (tokens.mask[t] === 0) continue
      sum += klEstimate(tokens, t, settings)
      count++
    }
  }
  return count === 0 ? null : sum / count
}

/** Sampled tokens of a row. */
export function countSampled(row: readonly { mask: Uint8Array }[]): number {
  return row.reduce((sum, { mask }) => sum + mask.reduce((count, sampled) => count + sampled, 0), 0)
}

/** The loss of one sequence of a row: the mean over the row's sampled tokens of loss times weight. */
export function sequenceObjective(tokens: SequenceTokens, settings: LossSettings, row: RowContext): SequenceObjective {
  const differences = logDifferences(tokens)
  const advantages = shapeAdvantages(tokens, differences, { settings, meanDistance: row.meanDistance })
  const { levelRatios, ratios, ownSlopes, meanSlopes } = importanceRatios({ differences, mask: tokens.mask }, settings)
  const length = tokens.mask.length
  const coefficients = new Float64Array(length)
  const losses = new Float64Array(length)
  let loss = 0
  let byMean = 0
  let sampled = 0
  for (let t = 0; t < length; t++) {
    if (tokens.mask[t] === 0) continue
    const token = policyLoss({ ratio: ratios[t]!, advantage: advantages[t]!, now: tokens.now[t]! }, settings)
    const mismatch = truncatedImportanceWeight(tokens, t, settings)
    const share = (tokens.weights[t]! * mismatch) / row.sampledTokens
    losses[t] = token.loss * mismatch * tokens.weights[t]!
    loss += token.loss * share
    coefficients[t] = (token.direct + token.byRatio * ownSlopes[t]!) * share
    byMean += token.byRatio * meanSlopes[t]! * share
    sampled++
  }
  if (byMean !== 0) addToSampled(coefficients, tokens.mask, byMean / sampled)
  return { loss, coefficients, losses, advantages, levelRatios, ratios }
}

function logDifferences({ mask, now, old }: SequenceTokens): Float64Array {
  const differences = new Float64Array(mask.length)
  for (let t = 0; t < mask.length; t++) {
    if (mask[t] !== 0 && Number.isFinite(old[t]!)) differences[t] = now[t]! - old[t]!
  }
  return differences
}

/** How much likelier the trainer finds a token than the sampler did, at most the truncation. 1 where old log-probabilities were not recomputed. */
function truncatedImportanceWeight({ now, old, original }: SequenceTokens, t: number, { truncation }: LossSettings): number {
  if (truncation === null || original === null) return 1
  const recomputed = Number.isFinite(old[t]!) ? old[t]! : now[t]!
  const sampled = Number.isFinite(original[t]!) ? original[t]! : now[t]!
  return Math.min(Math.exp(recomputed - sampled), truncation)
}

/** The mean of a sequence depends equally on each of its sampled tokens. */
function addToSampled(coefficients: Float64Array, mask: Uint8Array, each: number): void {
  for (let t = 0; t < coefficients.length; t++) if (mask[t] !== 0) coefficients[t]! += each
}

/**
 * Adds the terms that compare policies to the advantages. They have no gradient. Drift from the old policy counts against a token by tau. Distance
 * from the reference counts by how far it is from the row's mean, so that the terms of a row sum to 0: pressure moves between tokens.
 */
function shapeAdvantages(
  tokens: SequenceTokens,
  differences: Float64Array,
  { settings, meanDistance }: { settings: LossSettings; meanDistance: number | null },
): Float64Array {
  return tokens.advantages.map((advantage, t) => {
    if (tokens.mask[t] === 0) return 0
    const drift = settings.kimiTau * differences[t]!
    const distance = meanDistance === null ? 0 : meanDistance - klEstimate(tokens, t, settings)
    return advantage - drift + settings.klCoefficient * distance
  })
}

function klEstimate({ now, old, reference }: SequenceTokens, t: number, { klSource }: LossSettings): number {
  const sampled = klSource === 'sample' && Number.isFinite(old[t]!) ? old[t]! : now[t]!
  return sampled - reference![t]!
}

/** In nats. The exponential of larger ones would overwhelm everything else. */
const largestDifference = 20

/** Ratios of a sequence, and how they change with the log-probabilities of its tokens. Aligned with its tokens; 0 where nothing was sampled. */
interface ImportanceRatios {
  /** After the level, before cap and mask. */
  levelRatios: Float64Array
  /** Values used in the loss. */
  ratios: Float64Array
  /** The derivative of the ratio with respect to the log-probability of its own token. */
  ownSlopes: Float64Array
  /** The derivative of the ratio by the mean difference of the sequence. */
  meanSlopes: Float64Array
}

interface TokenDifferences {
  /** New minus old log-probability; 0 where the old one is missing. */
  differences: Float64Array
  /** 1 on sampled tokens. */
  mask: Uint8Array
}

/** The importance ratio of each sampled token: difference, level, cap, mask, in this order. */
function importanceRatios({ differences, mask }: TokenDifferences, settings: LossSettings): ImportanceRatios {
  const length = differences.length
  const result: ImportanceRatios = {
    levelRatios: new Float64Array(length),
    ratios: new Float64Array(length),
    ownSlopes: new Float64Array(length),
    meanSlopes: new Float64Array(length),
  }
  const ofSequence = clippedExponential(maskedMean(differences, mask))
  for (let t = 0; t < length; t++) {
    if (mask[t] === 0) continue
    const { ratio, ownSlope, meanSlope } = levelRatio(settings.level, clippedExponential(differences[t]!), ofSequence)
    const used = capAndMask(ratio, settings)
    result.levelRatios[t] = ratio
    result.ratios[t] = used.ratio
    result.ownSlopes[t] = used.moves ? ownSlope : 0
    result.meanSlopes[t] = used.moves ? meanSlope : 0
  }
  return result
}

interface Exponential {
  value: number
  /** 0 where it was clipped. */
  slope: number
}

/** e to a difference of log-probabilities, which counts as at most `largestDifference` either way. */
export function clippedExponential(difference: number): Exponential {
  const value = Math.exp(Math.min(Math.max(difference, -largestDifference), largestDifference))
  return { value, slope: Math.abs(difference) <= largestDifference ? value : 0 }
}

function levelRatio(level: ImportanceSamplingLevel, token: Exponential, sequence: Exponential) {
  switch (level) {
    case 'token':
      return { ratio: token.value, ownSlope: token.slope, meanSlope: 0 }
    case 'sequence':
      return { ratio: sequence.value, ownSlope: 0, meanSlope: sequence.slope }
    case 'average':
      return { ratio: (token.value + sequence.value) / 2, ownSlope: token.slope / 2, meanSlope: sequence.slope / 2 }
    case 'geometric_average': {
      const ratio = Math.sqrt(token.value) * Math.sqrt(sequence.value)
      return { ratio, ownSlope: token.slope === 0 ? 0 : ratio / 2, meanSlope: sequence.slope === 0 ? 0 : ratio / 2 }
    }
  }
}

function capAndMask(ratio: number, { ratioCap, maskRatio, epsilon, epsilonHigh }: LossSettings): { ratio: number; moves: boolean } {
  const capped = ratioCap !== null && ratio > ratioCap
  const value = capped ? ratioCap : ratio
  if (maskRatio && !(value > 1 - epsilon && value < 1 + epsilonHigh)) return { ratio: 0, moves: false }
  return { ratio: value, moves: !capped }
}

function maskedMean(values: Float64Array, mask: Uint8Array): number {
  let sum = 0
  let count = 0
  for (let t = 0; t < values.length; t++) {
    if (mask[t] === 0) continue
    sum += values[t]!
    count++
  }
  return count === 0 ? 0 : sum / count
}

interface PolicyLossInput {
  ratio: number
  advantage: number
  /** The current log-probability. */
  now: number
}

interface PolicyLoss {
  loss: number
  /** The derivative of the loss by the log-probability of its token, where the ratio is a constant. */
  direct: number
  /** The derivative of the loss by the ratio. */
  byRatio: number
}

/**
 * The loss of one token, before weights.
 * `cispo`: the log-probability, weighted by the clipped ratio as a constant, so no token loses its gradient.
 * `ppo`: the clipped surrogate, with bounds that may differ.
 */
function policyLoss({ ratio, advantage, now }: PolicyLossInput, settings: LossSettings): PolicyLoss {
  const clipped = Math.min(Math.max(ratio, 1 - settings.epsilon), 1 + settings.epsilonHigh)
  if (settings.lossFunction === 'cispo') return { loss: -clipped * advantage * now, direct: -clipped * advantage, byRatio: 0 }
  const plain = ratio * advantage
  const bounded = clipped * advantage
  return plain <= bounded ? { loss: -plain, direct: 0, byRatio: -advantage } : { loss: -bounded, direct: 0, byRatio: 0 }
}
