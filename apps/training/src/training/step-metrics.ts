import type { RowMetrics } from '../objective/row-statistics.ts'
import type { RowContext } from '../objective/rl-loss.ts'

export interface RlStepInput {
  metrics: RowMetrics
  context: RowContext
  gradientNorm: number
  learningRate: number
  /** Share of a step; reported if it is below 1. */
  share: number
  /** Summed over the sampled tokens. */
  entropy: number
}

/** Reported metrics of a gradient step of reinforcement learning, by the names on the wire. Values that were not computed are omitted. */
export function rlStepMetrics({ metrics, context, gradientNorm, learningRate, share, entropy }: RlStepInput): Record<string, number> {
  return withoutNulls({
    policy_loss: metrics.loss,
    grad_norm: gradientNorm,
    learning_rate: learningRate,
    ...(share < 1 && { step_share: share }),
    entropy: entropy / metrics.sampledTokens,
    kl_policy_ref: context.meanDistance,
    num_trainable_tokens: metrics.sampledTokens,
    probs_corr: metrics.probsCorrelation,
    'loss/importance_ratio_mean': metrics.ratioMean,
    'loss/importance_ratio_p95': metrics.ratioP95,
    'loss/importance_ratio_p99': metrics.ratioP99,
    'loss/clipped_token_fraction': metrics.clippedFraction,
  })
}

export interface SftStepInput {
  /** From 0. */
  index: number
  loss: number
  gradientNorm: number
  learningRate: number
  /** Share of a step; reported if it is below 1. */
  share: number
  tokens: number
  labelledTokens: number
  conversations: number
  /** Dropped conversations of the whole job. */
  droppedConversations: number
  /** Null where the clock did not move. */
  tokensPerSecond: number | null
}

/** Reported metrics of a gradient step of supervised fine-tuning, by the names on the wire. */
export function sftStepMetrics(step: SftStepInput): Record<string, number> {
  return withoutNulls({
    gradient_step: step.index + 1,
    loss: step.loss,
    grad_norm: step.gradientNorm,
    learning_rate: step.learningRate,
    ...(step.share < 1 && { step_share: step.share }),
    num_tokens: step.tokens,
    num_trainable_tokens: step.labelledTokens,
    num_trajectories: step.conversations,
    num_dropped_trajectories: step.droppedConversations,
    tokens_per_second: step.tokensPerSecond,
  })
}

function withoutNulls(metrics: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter((entry): entry is [string, number] => entry[1] !== null))
}
