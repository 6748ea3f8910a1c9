import { importanceRatios } from './importance-ratio.ts'
import { policyLoss } from './policy-loss.ts'
import type { LossSettings } from './settings/rl-settings.ts'
import type { SequenceTokens } from './sequence-tokens.ts'
import { shapeAdvantages } from './shape-advantages.ts'

/** What the loss of a sequence depends on in the other sequences of its row. */
export interface RowContext {
  /** Sampled tokens of the row. */
  sampledTokens: number
  /** From `meanReferenceDistance`. */
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
  /** What the loss used. */
  ratios: Float64Array
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
    const mismatch = truncatedMismatch(tokens, t, settings)
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
function truncatedMismatch({ now, old, original }: SequenceTokens, t: number, { truncation }: LossSettings): number {
  if (truncation === null || original === null) return 1
  const recomputed = Number.isFinite(old[t]!) ? old[t]! : now[t]!
  const sampled = Number.isFinite(original[t]!) ? original[t]! : now[t]!
  return Math.min(Math.exp(recomputed - sampled), truncation)
}

/** The mean of a sequence moves with each of its sampled tokens alike. */
function addToSampled(coefficients: Float64Array, mask: Uint8Array, each: number): void {
  for (let t = 0; t < coefficients.length; t++) if (mask[t] !== 0) coefficients[t]! += each
}
