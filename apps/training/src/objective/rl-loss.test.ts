import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowObjective } from './testing/row-objective.ts'
import { RowStatistics } from './row-statistics.ts'
import { sequenceObjective, type SequenceTokens } from './rl-loss.ts'
import { lossByDefinition } from './testing/loss-by-definition.ts'
import { firstDifference, lossSettings, toSequences } from './testing/objective-vectors.ts'
import { randomRows, randomSettings } from './testing/random-rows.ts'

const runs = { numRuns: trials({ usual: 150, long: 20_000 }) }
const step = 1e-6

/** The row with the log-probability of one token moved; what the document freezes stays where it was. */
function lossMoved(
  row: readonly SequenceTokens[],
  place: { s: number; t: number },
  by: number,
  settings: Parameters<typeof rowObjective>[1],
) {
  const frozen = row.map(({ now }) => now)
  const moved = row.map((tokens, s) => {
    const now = Float64Array.from(tokens.now)
    if (s === place.s) now[place.t]! += by
    return { ...tokens, now }
  })
  return lossByDefinition(moved, frozen, settings)
}

describe('coefficients', () => {
  test('are the derivative of the loss as it is defined, for every knob', () => {
    fc.assert(
      fc.property(randomRows, randomSettings, (row, settings) => {
        const { sequences, metrics } = rowObjective(row, settings)
        const here = lossMoved(row, { s: 0, t: 0 }, 0, settings)
        expect(metrics.loss).toBeCloseTo(here, 9)
        for (const [s, { mask }] of row.entries()) {
          for (const [t, coefficient] of sequences[s]!.coefficients.entries()) {
            if (mask[t] === 0) expect(coefficient).toBe(0)
            const right = (lossMoved(row, { s, t }, step, settings) - here) / step
            const left = (here - lossMoved(row, { s, t }, -step, settings)) / step
            // Where a clip, a cap or a mask begins, there is no derivative.
            if (mask[t] === 1 && Math.abs(right - left) < 1e-4) expect(coefficient).toBeCloseTo((right + left) / 2, 4)
          }
        }
      }),
      runs,
    )
  })

  test('are the same however a row is cut into parts', () => {
    fc.assert(
      fc.property(randomRows, randomSettings, (row, settings) => {
        const whole = rowObjective(row, settings)
        const statistics = new RowStatistics(settings)
        for (const [s, tokens] of row.entries()) {
          const part = sequenceObjective(tokens, settings, whole.context)
          expect(part.coefficients).toEqual(whole.sequences[s]!.coefficients)
          statistics.add(tokens, part)
        }
        expect(statistics.metrics()).toEqual(whole.metrics)
      }),
      runs,
    )
  })

  test('follow their trajectories when these change places', () => {
    fc.assert(
      fc.property(randomRows, randomSettings, (row, settings) => {
        const forth = rowObjective(row, settings).sequences
        const back = rowObjective(row.toReversed(), settings).sequences.toReversed()
        for (const [s, { coefficients }] of forth.entries()) {
          expect(firstDifference([...coefficients], [...back[s]!.coefficients])).toBeNull()
        }
      }),
      runs,
    )
  })

  test('are 0 where the advantage is 0, unless policies are compared', () => {
    fc.assert(
      fc.property(randomRows, randomSettings, (row, settings) => {
        const even = row.map((tokens) => ({ ...tokens, advantages: tokens.advantages.map(() => 0) }))
        const { sequences } = rowObjective(even, { ...settings, kimiTau: 0, klCoefficient: 0 })
        for (const { coefficients } of sequences) expect(coefficients.every((coefficient) => coefficient === 0)).toBe(true)
      }),
      runs,
    )
  })

  test('of cispo are the clipped ratio unchanged: drift changes no gradient beyond it', () => {
    const row = (n: readonly number[]) =>
      toSequences({
        n,
        o: [-0.7, -1],
        advantages: [1, -1],
        weights: [1, 1],
        mask: [1, 1],
        reference_logprobs: null,
        original_logprobs: null,
      })
    const [near] = rowObjective(row([-0.5, -1.2]), lossSettings({ epsilon: 0.1, epsilon_high: 0.1 })).sequences
    const [far] = rowObjective(row([-0.4, -1.4]), lossSettings({ epsilon: 0.1, epsilon_high: 0.1 })).sequences
    expect(near!.coefficients).toEqual(far!.coefficients)
    expect([...near!.coefficients]).toEqual([-1.1 / 2, 0.9 / 2])
  })
})

describe('tables of the document', () => {
  const tokens = {
    n: [-0.5, -1.2, -0.3, -2],
    o: [-0.7, -1, -0.3, -0.2],
    advantages: [1, 1, -1, -1],
    weights: [1, 1, 1, 1],
    mask: [1, 1, 1, 1],
  }
  const base = { ...tokens, reference_logprobs: null, original_logprobs: null }
  const tau = [0.98, 1.02, -1, -0.82]
  const learner = [1.0375, 1.1875, -1.2125, -1.0125]
  const sample = [1.3625, 1.3125, -0.9875, -1.6875]

  test.each([
    ['tau', { kimi_k2_tau: 0.1 }, null, tau, 0.257381],
    ['a penalty against the learner', { kl_penalty_coef: 0.5 }, [-0.6, -1, -0.9, -2.2], learner, 0.275453],
    ['a penalty against the sample', { kl_penalty_coef: 0.5, kl_penalty_source: 'sample' }, [-0.6, -1, -0.9, -2.2], sample, 0.316862],
  ])('%s shapes the advantages', (_, config, reference, advantages, loss) => {
    const { sequences, metrics } = rowObjective(toSequences({ ...base, reference_logprobs: reference }), lossSettings(config))
    expect(firstDifference([...sequences[0]!.advantages], advantages)).toBeNull()
    expect(firstDifference([metrics.loss], [loss])).toBeNull()
  })

  test.each([
    ['cispo', {}, -0.135485],
    ['ppo', { ppo: true }, 0.120454],
  ])('three trajectories in one row: %s', (_, config, loss) => {
    const row = toSequences({
      n: [-0.4, -0.9, -1.5, -0.2],
      o: [-0.5, -0.8, -1.5, -0.6],
      advantages: [1.5, 1.5, -0.75, -0.75],
      weights: [2 / 3, 2 / 3, 4 / 3, 4 / 3],
      mask: [1, 1, 1, 1],
      sequence: [1, 1, 2, 3],
      reference_logprobs: null,
      original_logprobs: null,
    })
    expect(firstDifference([rowObjective(row, lossSettings(config)).metrics.loss], [loss])).toBeNull()
  })

  test('truncation counts the mismatch of sampler and trainer, at most so much', () => {
    const row = toSequences({ ...base, original_logprobs: [-0.9, -1.1, -0.3, -0.5] })
    const { sequences, metrics } = rowObjective(row, lossSettings({ truncated_importance_sampling: 1.05, precalculate_logprobs: true }))
    expect(firstDifference([...sequences[0]!.losses], [0.641236, 1.031601, -0.3, -0.347128])).toBeNull()
    expect(firstDifference([metrics.loss], [0.256427])).toBeNull()
  })

  test('the shaping of a penalty sums to 0 over a row', () => {
    const row = toSequences({ ...base, reference_logprobs: [-0.6, -1, -0.9, -2.2] })
    const [sequence] = rowObjective(row, lossSettings({ kl_penalty_coef: 0.5 })).sequences
    expect([...sequence!.advantages].reduce((sum, advantage) => sum + advantage, 0)).toBeCloseTo(0, 12)
  })
})

test('quantiles are of the ratio before cap and mask, and tokens without a weight do not count', () => {
  const count = 200
  const fill = (value: number) => Array.from({ length: count }, () => value)
  const row = toSequences({
    n: fill(-1),
    o: Array.from({ length: count }, (_, at) => -1 - Math.log((at + 1) / 100)),
    advantages: fill(1),
    weights: Array.from({ length: count }, (_, at) => (at === 199 ? 0 : 1)),
    mask: fill(1),
    reference_logprobs: null,
    original_logprobs: null,
  })
  const { metrics } = rowObjective(row, lossSettings({ max_negative_advantage_importance_sampling_weight: 0.5, mask_prob_ratio: true }))
  expect(metrics.ratioP95).toBeCloseTo(1.9, 9)
  expect(metrics.ratioP99).toBeCloseTo(1.98, 9)
  expect(metrics.ratioMean).toBeCloseTo(1, 9)
})

test('the correlation of probabilities is left out where there is nothing to correlate', () => {
  const row = { n: [-1, -1], advantages: [1, 1], weights: [1, 1], mask: [1, 1], reference_logprobs: null, original_logprobs: null }
  expect(rowObjective(toSequences({ ...row, o: [null, null] }), lossSettings()).metrics.probsCorrelation).toBeNull()
  expect(rowObjective(toSequences({ ...row, o: [-1, -2] }), lossSettings()).metrics.probsCorrelation).toBeNull()
})
