import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areEqualRewards } from './equal-rewards.ts'

test.each<[number[], boolean]>([
  [[], true],
  [[0.5], true],
  [[1, 1, 1], true],
  [[0.1 + 0.2, 0.3], true],
  [[0.3, 0.1 + 0.2, 0.30000000000000016], true],
  [[1e6 / 3, (1e6 / 3) * (1 + 4e-16)], true],
  [[0, 1e-13], true],
  [[0, 1e-11], false],
  [[0, 1], false],
  [[-1, 1], false],
  [[1e6, 1e6 + 1e-3], false],
])('rewards of %j are equal: %s', (rewards, equal) => {
  expect(areEqualRewards(rewards)).toBe(equal)
})

test('sums of the same parts in any order are equal', () => {
  const parts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  fc.assert(fc.property(parts, (values) => areEqualRewards([sum(values), sum(values.toReversed()), sum(values.toSorted())])))
})
