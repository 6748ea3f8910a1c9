import { describe, expect, test } from 'vitest'
import { addsNothing, checkLossInput, computeLoss, findLoss, type LossConfig, type LossInput } from './losses.ts'
import vectors from './vectors/losses.json' with { type: 'json' }

/** Ratios of 0.5 (below every bound), 1.1 (within) and 2 (above), with gains and losses. */
const ratios = [0.5, 1.1, 2, 0.5, 1.1, 2]
const now = Float32Array.from(ratios, (_, at) => -0.5 - at / 10)
const given = {
  logprobs: Float32Array.from(ratios, (ratio, at) => now[at]! - Math.log(ratio)),
  advantages: Float32Array.of(1, 1, 1, -1, -1, -1),
  weights: Float32Array.of(0, 1, 2, 0.5, 1, 1),
}
/** A case of the vectors; JSON modules have no types of records. */
interface Recorded {
  loss_fn: string
  config: LossConfig
  now: number[]
  given: Record<string, number[]>
  expect: { loss: number; gradient: number[] }
}
const recorded = vectors.cases as unknown as Recorded[]
const toFloats = (given: Recorded['given']): LossInput['given'] =>
  Object.fromEntries(Object.entries(given).map(([name, values]) => [name, Float32Array.from(values)]))

test.each(recorded)(
  '$loss_fn with $config is what PyTorch computes, and so is its derivative',
  ({ loss_fn, config, expect: expected, ...input }) => {
    const { loss, coefficients } = computeLoss(findLoss(loss_fn, config), {
      now: Float32Array.from(input.now),
      given: toFloats(input.given),
    })
    expect(loss).toBeCloseTo(expected.loss, 9)
    for (const [at, value] of expected.gradient.entries()) expect(coefficients[at]).toBeCloseTo(value, 9)
  },
)

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

test('cross_entropy weighs every target by 1 if there are no weights', () => {
  const { loss, coefficients } = computeLoss(findLoss('cross_entropy'), { now, given: {} })
  expect(loss).toBeCloseTo(-now.reduce((sum, value) => sum + value, 0), 5)
  expect([...coefficients]).toEqual([-1, -1, -1, -1, -1, -1])
})

describe('what does not fit is refused', () => {
  test.each<[string, LossConfig | undefined, string]>([
    [
      'grpo',
      undefined,
      'loss_fn "grpo" is not computed here (cross_entropy, importance_sampling, ppo, gspo, cispo, dro); use one of these',
    ],
    ['stable_reinforce', undefined, 'it needs numbers that are not recorded while sampling here; use importance_sampling'],
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
    const short = { ...given, clip_low_threshold: Float32Array.of(1) }
    expect(() => checkLossInput(loss, 0, short, 6)).toThrow('data.0: clip_low_threshold has 1 numbers, and target_tokens 6')
    expect(() => checkLossInput(findLoss('gspo'), 0, given, 6)).toThrow(
      'data.0: loss_fn_inputs has no sequence_ratio_mask, which the loss needs',
    )
  })
})

describe('gspo', () => {
  const loss = findLoss('gspo')
  const ofTokens = (mask: number[], advantages: number[]) => ({
    logprobs: Float32Array.from(mask, () => -1),
    advantages: Float32Array.from(advantages),
    sequence_ratio_mask: Float32Array.from(mask),
  })

  test('a target may be any token only where it has neither an advantage nor a part in the ratio', () => {
    const given = ofTokens([0, 1, 0, 1], [0, 0, 1, 1])
    expect([0, 1, 2, 3].map((at) => addsNothing(loss, given, at))).toEqual([true, false, false, false])
  })

  test('the ratio is that of the marked targets, and 1 where none is', () => {
    const at = (mask: number[]) =>
      computeLoss(loss, { now: Float32Array.of(-1.0001, -3, -1), given: ofTokens(mask, [1, 1, 1]) }).coefficients
    expect(at([1, 0, 0])[1]).toBeCloseTo(-Math.exp(-0.0001), 6)
    expect([...at([0, 0, 0])]).toEqual([-1, -1, -1])
    // The lower bound limits only what has a negative advantage.
    expect([...at([1, 1, 1])]).toEqual([...at([1, 1, 1])].map(() => -Math.exp(-2.0001 / 3)).map((value) => expect.closeTo(value, 4)))
  })
})
