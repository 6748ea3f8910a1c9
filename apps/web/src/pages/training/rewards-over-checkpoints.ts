import type { Metrics } from '../../features/training/metrics-by-model.ts'

/** The reward of a checkpoint's training data. */
export interface RewardPoint {
  step: number
  reward: number
  /** Standard deviation of the rewards within groups. Undefined where it was not recorded. */
  spread: number | undefined
  /** Mean reward of the groups logged as `val`. Undefined if there are none. */
  validation: number | undefined
  trajectories: number | undefined
}

/** Checkpoints that have a reward, the oldest first. */
export function rewardsOverCheckpoints(metrics: ReadonlyMap<number, Metrics>): RewardPoint[] {
  return [...metrics]
    .flatMap(([step, of]) => {
      const { reward, reward_std_dev: spread, num_trajectories: trajectories } = of
      return reward === undefined ? [] : [{ step, reward, spread, validation: of['val/reward'], trajectories }]
    })
    .toSorted((one, other) => one.step - other.step)
}
