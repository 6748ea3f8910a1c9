import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchWeights } from './batch-weights.ts'
import { groupAdvantages } from './group-advantages.ts'
import { deviationMultiplier, trajectoriesMultiplier } from './learning-rate.ts'
import { isClose } from './testing/objective-vectors.ts'

const spans = (rewards: readonly number[], tokens: readonly number[], scale = true) => {
  const advantages = groupAdvantages(rewards, scale)
  return tokens.map((each, at) => ({ tokens: each, trajectoryTokens: each, advantage: advantages[at]! }))
}

describe('advantages of a group', () => {
  test.each([[[0.1, 0.1, 0.1]], [[0.7]], [[]]])('of rewards %j are exactly 0', (rewards) => {
    expect(groupAdvantages(rewards, true).every((advantage) => advantage === 0)).toBe(true)
  })

  test('do not depend on scale and offset of the rewards, when they are scaled', () => {
    const plain = groupAdvantages([1, 0, 0.5, 0.25], true)
    const other = groupAdvantages([107, 100, 103.5, 101.75], true)
    for (const [at, advantage] of plain.entries()) expect(other[at]).toBeCloseTo(advantage, 4)
  })
})

describe('balance', () => {
  test.each([
    [0, 0],
    [0.5, 2.333334],
    [-0.5, -2.333333],
    [1, 7],
  ])('of %d makes the sum of weight times advantage %d', (balance, sum) => {
    const weights = batchWeights(spans([1, 0, 0], [2, 4, 1]), balance)!
    const total = weights.reduce((all, { weight, advantage }, at) => all + weight * advantage * [2, 4, 1][at]!, 0)
    expect(isClose(total, sum)).toBe(true)
  })

  test('of 1 without a better attempt, or of -1 without a worse one, leaves nothing to train', () => {
    const worse = [{ tokens: 3, trajectoryTokens: 3, advantage: -1 }]
    expect(batchWeights(worse, 1)).toBeNull()
    expect(batchWeights([{ ...worse[0]!, advantage: 1 }], -1)).toBeNull()
    expect(batchWeights([], 0)).toBeNull()
  })
})

describe('weights of a batch', () => {
  const someSpans = fc.array(
    fc.record({
      tokens: fc.integer({ min: 1, max: 50 }),
      more: fc.integer({ min: 0, max: 50 }),
      advantage: fc.double({ min: -3, max: 3, noNaN: true }).filter((value) => Math.abs(value) > 1e-3),
    }),
    { minLength: 1, maxLength: 20 },
  )

  test('average to 1, and so do absolute weighted advantages', () => {
    fc.assert(
      fc.property(someSpans, (some) => {
        const batch = some.map(({ tokens, more, advantage }) => ({ tokens, trajectoryTokens: tokens + more, advantage }))
        const weights = batchWeights(batch, 0)!
        const tokens = batch.reduce((sum, span) => sum + span.tokens, 0)
        const mean = (of: (at: number) => number) => batch.reduce((sum, span, at) => sum + of(at) * span.tokens, 0) / tokens
        expect(mean((at) => weights[at]!.weight)).toBeCloseTo(1, 9)
        expect(mean((at) => Math.abs(weights[at]!.advantage) * weights[at]!.weight)).toBeCloseTo(1, 9)
      }),
      { numRuns: trials({ usual: 100, long: 5000 }) },
    )
  })

  test('give a trajectory the same say however long it is', () => {
    const weights = batchWeights(spans([1, 0], [100, 3]), 0)!
    expect(weights[0]!.weight * 100).toBeCloseTo(weights[1]!.weight * 3, 4)
  })

  test('of a single group do not depend on scaling', () => {
    const scaled = batchWeights(spans([1, 0, 0.2], [3, 4, 5], true), 0)!
    const plain = batchWeights(spans([1, 0, 0.2], [3, 4, 5], false), 0)!
    for (const [at, { advantage }] of scaled.entries()) expect(plain[at]!.advantage).toBeCloseTo(advantage, 9)
  })
})

describe('the learning rate', () => {
  test.each([
    [[], 1],
    [[{ step: 2, rewardStdDev: 0.4 }], 1],
    [
      [
        { step: 3, rewardStdDev: 0.2 },
        { step: 3, rewardStdDev: 0.4 },
      ],
      1,
    ],
    // The line is below 0 at the last step.
    [
      [
        { step: 1, rewardStdDev: 1 },
        { step: 2, rewardStdDev: 0.1 },
        { step: 3, rewardStdDev: 0 },
        { step: 9, rewardStdDev: 0 },
      ],
      0,
    ],
  ])('follows what is left of the deviation: %j gives %d', (history, multiplier) => {
    expect(deviationMultiplier(history)).toBe(multiplier)
  })

  test('counts a row without a trajectory of its own as one', () => {
    expect(trajectoriesMultiplier(0, 0.5)).toBe(1)
  })
})
