import type { LossSettings } from './settings/rl-settings.ts'

export interface PolicyLossInput {
  ratio: number
  advantage: number
  /** The current log-probability. */
  now: number
}

export interface PolicyLoss {
  loss: number
  /** The derivative of the loss by the log-probability of its token, where the ratio is a constant. */
  direct: number
  /** The derivative of the loss by the ratio. */
  byRatio: number
}

/**
 * The loss of one token, before weights.
 * `cispo`: the log-probability, weighted by the clipped ratio as a constant, so no token loses its gradient (MiniMax-M1 2025).
 * `ppo`: the clipped surrogate (Schulman et al. 2017), with bounds that may differ (DAPO, Yu et al. 2025).
 */
export function policyLoss({ ratio, advantage, now }: PolicyLossInput, settings: LossSettings): PolicyLoss {
  const clipped = Math.min(Math.max(ratio, 1 - settings.epsilon), 1 + settings.epsilonHigh)
  if (settings.lossFunction === 'cispo') return { loss: -clipped * advantage * now, direct: -clipped * advantage, byRatio: 0 }
  const plain = ratio * advantage
  const bounded = clipped * advantage
  return plain <= bounded ? { loss: -plain, direct: 0, byRatio: -advantage } : { loss: -bounded, direct: 0, byRatio: 0 }
}
