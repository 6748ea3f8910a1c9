import { expect, test } from 'vitest'
import { type ComparedPair, dpoObjective } from './dpo-objective.ts'
import { firstDifference } from './testing/objective-vectors.ts'
import vectors from './vectors/dpo.json' with { type: 'json' }

const { pairs } = vectors

test.each(vectors.cases)('the loss of preference pairs, its gradient and their rewards: $name', (row) => {
  const settings = { beta: row.beta, labelSmoothing: row.label_smoothing }
  const valuesAt = (at: number) => ({ labels: Uint8Array.from(row.mask[at]!), now: row.now[at]!, reference: row.reference[at]! })
  const results = Array.from({ length: pairs }, (_, at): ComparedPair => ({ chosen: valuesAt(at), rejected: valuesAt(pairs + at) })).map(
    (pair) => dpoObjective(pair, settings, pairs),
  )
  const mean = (of: (result: (typeof results)[number]) => number) => results.reduce((sum, result) => sum + of(result), 0) / pairs
  const { loss, gradient, metrics } = row.expect
  expect(firstDifference([mean((result) => result.loss)], [loss])).toBeNull()
  const coefficients = [...results.map(({ chosen }) => chosen), ...results.map(({ rejected }) => rejected)]
  for (const [at, expected] of gradient.entries()) expect(firstDifference([...coefficients[at]!], expected)).toBeNull()
  const rewards = [
    mean(({ chosenReward }) => chosenReward),
    mean(({ rejectedReward }) => rejectedReward),
    mean((result) => (result.chosenReward > result.rejectedReward ? 1 : 0)),
    mean((result) => result.chosenReward - result.rejectedReward),
  ]
  const names = ['rewards/chosen', 'rewards/rejected', 'rewards/accuracies', 'rewards/margins'] as const
  expect(
    firstDifference(
      rewards,
      names.map((name) => metrics[name]),
    ),
  ).toBeNull()
})

test('a pair whose completions are as likely as under the reference loses log 2, and one that is decided, nothing', () => {
  const tokens = (now: number) => ({ labels: Uint8Array.of(0, 1), now: [0, now], reference: [0, -1] })
  const loss = (chosen: number, rejected: number) =>
    dpoObjective({ chosen: tokens(chosen), rejected: tokens(rejected) }, { beta: 1, labelSmoothing: 0 }, 1).loss
  expect(loss(-1, -1)).toBeCloseTo(Math.log(2), 12)
  expect(loss(-1, -2_000)).toBe(0)
  expect(loss(-2_000, -1)).toBeCloseTo(1_999, 9)
})
