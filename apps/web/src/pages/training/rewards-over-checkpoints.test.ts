import { expect, test } from 'vitest'
import { rewardsOverCheckpoints } from './rewards-over-checkpoints.ts'

test('checkpoints with a reward come in their order, with what is known beside it', () => {
  const metrics = new Map([
    [2, { reward: 0.7, reward_std_dev: 0.2, 'val/reward': 0.6, num_trajectories: 8 }],
    [0, {}],
    [1, { reward: 0.4 }],
  ])
  expect(rewardsOverCheckpoints(metrics)).toEqual([
    { step: 1, reward: 0.4, spread: undefined, validation: undefined, trajectories: undefined },
    { step: 2, reward: 0.7, spread: 0.2, validation: 0.6, trajectories: 8 },
  ])
})
