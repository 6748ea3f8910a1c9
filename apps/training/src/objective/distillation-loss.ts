import { clippedExponential, type RowContext, type SequenceObjective, type SequenceTokens } from './rl-loss.ts'
import type { LossSettings } from './settings/rl-settings.ts'

/*
 * On-policy distillation: the student lowers its divergence from a teacher on what it sampled itself.
 *
 *   KL(student || teacher) = E over y ~ student of  log student(y) - log teacher(y)
 *
 *   loss(row)   = 1/N * sum over the N sampled tokens of the row:  ratio_t (now_t - teacher_t)
 *   d loss / d now_t = -1/N * ratio_t A_t,   A_t = -(now_t - teacher_t), ratio and advantage without a gradient
 *   ratio_t     = clip(exp(now_t - old_t), 1 - epsilon, 1 + epsilonHigh): corrects for what the student has learned since it sampled
 *
 * The derivative is the policy gradient of that divergence at each token, given the tokens before it. The reverse divergence per token is GKD with
 * beta 1: Agarwal et al. 2023, "On-Policy Distillation of Language Models", arXiv 2306.13649. With sampled tokens and A_t as the advantage: Thinking Machines Lab
 * 2025, "On-Policy Distillation". Log-probabilities are in nats; `reference` is the teacher.
 */

/** The part of one sequence in the loss of its row, and the derivative by the log-probability of each of its tokens. */
export function distillationObjective(
  { mask, now, old, reference }: SequenceTokens,
  { epsilon, epsilonHigh }: Pick<LossSettings, 'epsilon' | 'epsilonHigh'>,
  { sampledTokens }: Pick<RowContext, 'sampledTokens'>,
): SequenceObjective {
  const zeros = () => new Float64Array(mask.length)
  const result: SequenceObjective = {
    loss: 0,
    coefficients: zeros(),
    losses: zeros(),
    advantages: zeros(),
    levelRatios: zeros(),
    ratios: zeros(),
  }
  for (let t = 0; t < mask.length; t++) {
    if (mask[t] === 0) continue
    const advantage = reference![t]! - now[t]!
    const drift = Number.isFinite(old[t]!) ? now[t]! - old[t]! : 0
    const { value: ratio } = clippedExponential(drift)
    const clipped = Math.min(Math.max(ratio, 1 - epsilon), 1 + epsilonHigh)
    result.advantages[t] = advantage
    result.levelRatios[t] = ratio
    result.ratios[t] = clipped
    const loss = -clipped * advantage
    result.losses[t] = loss
    result.coefficients[t] = loss / sampledTokens
    result.loss += loss / sampledTokens
  }
  return result
}
