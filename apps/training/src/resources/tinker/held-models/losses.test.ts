import { describe, expect, test } from 'vitest'
import { checkLossInput, computeLoss, findLoss, type LossConfig } from './losses.ts'

/** Ratios of 0.5 (below every bound), 1.1 (within) and 2 (above), with gains and losses. */
const ratios = [0.5, 1.1, 2, 0.5, 1.1, 2]
const now = Float32Array.from(ratios, (_, at) => -0.5 - at / 10)
const given = {
  logprobs: Float32Array.from(ratios, (ratio, at) => now[at]! - Math.log(ratio)),
  advantages: Float32Array.of(1, 1, 1, -1, -1, -1),
  weights: Float32Array.of(0, 1, 2, 0.5, 1, 1),
}
const rounded = (values: Iterable<number>) => Array.from(values, (value) => Number(value.toFixed(4)) + 0)

describe('the derivative of a loss by the log-probability of each target', () => {
  test.each<[string, LossConfig | undefined, number[]]>([
    ['cross_entropy', undefined, [0, -1, -2, -0.5, -1, -1]],
    ['importance_sampling', undefined, [-0.5, -1.1, -2, 0.5, 1.1, 2]],
    // A ratio beyond the bound has no gradient where the bound is the smaller gain.
    ['ppo', undefined, [-0.5, -1.1, 0, 0, 1.1, 2]],
    ['ppo', { clip_low_threshold: 0.4, clip_high_threshold: 1.05 }, [-0.5, 0, 0, 0.5, 1.1, 2]],
    ['cispo', undefined, [-0.8, -1.1, -1.2, 0.8, 1.1, 1.2]],
    ['dro', { beta: 0.1 }, ratios.map((ratio, at) => -(given.advantages[at]! - 0.1 * Math.log(ratio)))],
  ])('of %s with %j', (name, config, expected) => {
    expect(rounded(computeLoss(findLoss(name, config), { now, given }).coefficients)).toEqual(rounded(expected))
  })

  test.each<[string, LossConfig | undefined]>([
    ['cross_entropy', undefined],
    ['importance_sampling', undefined],
    ['ppo', undefined],
    ['dro', { beta: 0.05 }],
  ])('of %s is that of its value', (name, config) => {
    const loss = findLoss(name, config)
    const { coefficients } = computeLoss(loss, { now, given })
    const slopes = Array.from(now, (_, changed) => {
      const moved = (by: number) => now.map((value, at) => (at === changed ? value + by : value))
      const at = (by: number) => computeLoss(loss, { now: moved(by), given }).loss
      return (at(1 / 1024) - at(-1 / 1024)) * 512
    })
    for (const [at, slope] of slopes.entries()) expect(slope).toBeCloseTo(coefficients[at]!, 2)
  })
})

test('cross_entropy weighs every target by 1 where there are no weights', () => {
  const { loss, coefficients } = computeLoss(findLoss('cross_entropy'), { now, given: {} })
  expect(loss).toBeCloseTo(-now.reduce((sum, value) => sum + value, 0), 5)
  expect([...coefficients]).toEqual([-1, -1, -1, -1, -1, -1])
})

describe('what does not fit is refused', () => {
  test.each<[string, LossConfig | undefined, string]>([
    ['gspo', undefined, 'loss_fn "gspo" is not computed here (cross_entropy, importance_sampling, ppo, cispo, dro); use one of these'],
    ['custom', undefined, 'a custom loss is computed by the client, from the log-probabilities of forward'],
    ['toString', undefined, 'loss_fn "toString" is not computed here'],
    ['dro', undefined, 'loss_fn_config.beta is missing; it must be a number'],
    ['ppo', { clip_low_threshold: 'low' }, 'loss_fn_config.clip_low_threshold is "low"; it must be a number'],
  ])('%s with %j', (name, config, reason) => {
    expect(() => findLoss(name, config)).toThrow(reason)
  })

  test('numbers that are missing, or are not as many as the targets', () => {
    const loss = findLoss('ppo')
    expect(() => checkLossInput(loss, 3, { logprobs: now }, now.length)).toThrow('data.3: loss_fn_inputs has no advantages')
    expect(() => checkLossInput(loss, 0, given, 5)).toThrow('data.0: logprobs has 6 numbers, and target_tokens 5')
  })
})
