import { expect, test } from 'vitest'
import { batchWeights } from './batch-weights.ts'
import { groupAdvantages } from './group-advantages.ts'
import { deviationMultiplier, trajectoriesMultiplier } from './learning-rate.ts'
import { mean, populationStdDev, rewardStatistics } from './reward-statistics.ts'
import { rowObjective } from './testing/row-objective.ts'
import { sftObjective } from './sft-objective.ts'
import { firstDifference, isClose, lossSettings, toSequences, vectors } from './testing/objective-vectors.ts'

test.each(vectors.group_advantage)('the advantages of rewards $rewards, scaled: $scale', (row) => {
  expect(isClose(mean(row.rewards), row.mean)).toBe(true)
  expect(isClose(populationStdDev(row.rewards), row.std)).toBe(true)
  expect(firstDifference(groupAdvantages(row.rewards, row.scale), row.advantages)).toBeNull()
})

test.each(vectors.batch)('the weights and advantages of a batch at balance $advantage_balance', (row) => {
  const advantages = groupAdvantages(row.rewards, true)
  const spans = row.sampled_tokens.map((tokens, at) => ({ tokens, trajectoryTokens: tokens, advantage: advantages[at]! }))
  const result = batchWeights(spans, row.advantage_balance)!
  const perToken = (of: (at: number) => number) => spans.flatMap(({ tokens }, at) => Array.from({ length: tokens }, () => of(at)))
  expect(
    firstDifference(
      perToken((at) => result[at]!.weight),
      row.weights,
    ),
  ).toBeNull()
  expect(
    firstDifference(
      perToken((at) => result[at]!.advantage),
      row.advantages,
    ),
  ).toBeNull()
})

test.each(vectors.row_loss)('the loss of $name, its gradient and its metrics', (row) => {
  const sequences = toSequences(row)
  const result = rowObjective(sequences, lossSettings(row.config))
  const flat = (of: (at: number) => ArrayLike<number>) => sequences.flatMap((_, at) => Array.from(of(at)))
  const expected = row.expect
  expect(firstDifference([result.metrics.loss], [expected.loss])).toBeNull()
  expect(
    firstDifference(
      flat((at) => result.sequences[at]!.coefficients),
      expected.gradient,
    ),
  ).toBeNull()
  expect(firstDifference([result.metrics.probsCorrelation ?? 0], [expected.probs_corr])).toBeNull()
  expect(firstDifference([result.metrics.ratioMean!], [expected.importance_ratio_mean])).toBeNull()
  expect(firstDifference([result.metrics.clippedFraction], [expected.clipped_token_fraction])).toBeNull()
  if (expected.kl_policy_ref === null) expect(result.context.meanDistance).toBeNull()
  else expect(firstDifference([result.context.meanDistance!], [expected.kl_policy_ref])).toBeNull()
})

const detailed = vectors.row_loss.filter((row) => 'ratio' in row.expect)

test.each(detailed)('the ratio, the advantage and the loss of each token of $name', (row) => {
  const { ratio, advantages, loss_per_token: losses } = row.expect as { ratio: number[]; advantages: number[]; loss_per_token: number[] }
  const [sequence] = rowObjective(toSequences(row), lossSettings(row.config)).sequences
  const sampled = (values: ArrayLike<number>) => Array.from(values).filter((_, at) => row.mask[at] === 1)
  expect(
    firstDifference(
      sampled(sequence!.ratios),
      ratio.filter((_, at) => row.mask[at] === 1),
    ),
  ).toBeNull()
  expect(
    firstDifference(
      sampled(sequence!.advantages),
      advantages.filter((_, at) => row.mask[at] === 1),
    ),
  ).toBeNull()
  expect(firstDifference(Array.from(sequence!.losses), losses)).toBeNull()
})

test.each(vectors.learning_rate_from_std)(
  'what is left of the deviation over steps $steps is $multiplier',
  ({ steps, std, multiplier }) => {
    const history = steps.map((step, at) => ({ step, rewardStdDev: std[at]! }))
    expect(isClose(deviationMultiplier(history), multiplier)).toBe(true)
  },
)

test.each(vectors.trajectories_multiplier)('$trajectories trajectories to the power of $power', ({ trajectories, power, multiplier }) => {
  expect(isClose(trajectoriesMultiplier(trajectories, power), multiplier)).toBe(true)
})

test('the loss of labelled tokens is their mean over the batch', () => {
  const examples = vectors.sft_token_mean.logprobs.map((now) => ({ now, labels: new Uint8Array(now.length).fill(1) }))
  const { loss, coefficients } = sftObjective(examples, 4)
  expect(isClose(loss, vectors.sft_token_mean.loss)).toBe(true)
  expect(coefficients.flatMap((each) => [...each])).toEqual([-0.25, -0.25, -0.25, -0.25])
})

test('the mean reward and its deviation within groups', () => {
  const { reward, rewardStdDev } = rewardStatistics(vectors.log_metrics.rewards)
  expect(firstDifference([reward, rewardStdDev], [vectors.log_metrics.reward, vectors.log_metrics.reward_std_dev])).toBeNull()
})
