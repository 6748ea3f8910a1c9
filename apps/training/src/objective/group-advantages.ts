import { areEqualRewards, roundingOf } from '@heddle/core-api/histories'
import { mean, populationStdDev } from './reward-statistics.ts'

/** Keeps the division of a group whose rewards hardly differ finite. */
const smallest = 1e-6

/**
 * How much better than its group each trajectory did (GRPO, Shao et al. 2024): reward minus the mean, divided by the population standard deviation if
 * `scale` is set (without it: Dr. GRPO, Liu et al. 2025). All 0 if rewards are equal except for rounding, and for a group of one; 0 for a reward
 * equal to the mean.
 */
export function groupAdvantages(rewards: readonly number[], scale: boolean): number[] {
  // Rewards that are equal but for rounding may differ from their mean in the last bits, which scaling would blow up.
  if (areEqualRewards(rewards)) return rewards.map(() => 0)
  const centre = mean(rewards)
  const divisor = scale ? populationStdDev(rewards) + smallest : 1
  const rounding = roundingOf(rewards.reduce((most, reward) => Math.max(most, Math.abs(reward)), 0))
  return rewards.map((reward) => (Math.abs(reward - centre) <= rounding ? 0 : (reward - centre) / divisor))
}
