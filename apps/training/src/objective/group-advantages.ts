import { mean, populationStdDev } from './reward-statistics.ts'

/** Keeps the division of a group whose rewards hardly differ finite. */
const smallest = 1e-6

/**
 * How much better than its group each trajectory did (GRPO, Shao et al. 2024): reward minus the mean, divided by the population standard deviation
 * where `scale` says so (without it: Dr. GRPO, Liu et al. 2025). All 0 where rewards are equal, and for a group of one.
 */
export function groupAdvantages(rewards: readonly number[], scale: boolean): number[] {
  const first = rewards[0]
  // The mean of equal numbers may differ from them in the last bit, which scaling would blow up.
  if (first === undefined || rewards.every((reward) => reward === first)) return rewards.map(() => 0)
  const centre = mean(rewards)
  const divisor = scale ? populationStdDev(rewards) + smallest : 1
  return rewards.map((reward) => (reward - centre) / divisor)
}
