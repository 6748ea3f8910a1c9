import { expect, test } from 'vitest'
import { rewardCurve } from './reward-curve.ts'

const metrics = new Map([
  [3, { reward: 0.9 }],
  [0, {}],
  [1, { reward: 0.4, loss: 3 }],
  [2, { loss: 2 }],
])

test('a checkpoint has the rewards up to its own', () => {
  expect(rewardCurve(metrics, 3)).toEqual({ metric: 'reward', last: 0.9, values: [0.4, 0.9] })
  expect(rewardCurve(metrics, 1)).toEqual({ metric: 'reward', last: 0.4, values: [0.4] })
})

test('one that was fine-tuned has losses instead', () =>
  expect(rewardCurve(metrics, 2)).toEqual({ metric: 'loss', last: 2, values: [3, 2] }))

test('one with neither has no curve, nor has one that is not known', () => {
  expect(rewardCurve(metrics, 0)).toBeUndefined()
  expect(rewardCurve(metrics, 7)).toBeUndefined()
})
