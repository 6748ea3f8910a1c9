import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainSampling } from '../../plain-sampling.ts'
import type { SamplingSettings } from '../../engine.ts'
import { chooseToken, type TokenCounts } from './choose-token.ts'

const none: TokenCounts = { prompt: new Set(), completion: new Map(), length: 0 }
/** Probabilities 0.5, 0.25, 0.125, 0.125. */
const logits = Float32Array.from([0.5, 0.25, 0.125, 0.125], Math.log)

/** The probability of each token that the settings leave, found by sampling at even distances. */
function distribution(
  settings: Partial<SamplingSettings>,
  { counts = none, allowed = null as Uint8Array | null } = {},
): Record<number, number> {
  const draws = 1_000
  const found: Record<number, number> = {}
  for (let i = 0; i < draws; i++) {
    const choice = chooseToken({ logits, settings: { ...plainSampling, ...settings }, counts, allowed, uniform: (i + 0.5) / draws })
    found[choice.token] = (found[choice.token] ?? 0) + 1 / draws
    expect(choice.logProbability).toBeLessThanOrEqual(1e-12)
  }
  for (const [token, share] of Object.entries(found)) {
    const choices = chooseToken({
      logits,
      settings: { ...plainSampling, ...settings, topLogProbabilities: 4 },
      counts,
      allowed,
      uniform: 0,
    })
    const reported = choices.top.find((each) => each.token === Number(token))
    if (settings.temperature !== 0) expect(Math.exp(reported?.logProbability ?? -Infinity)).toBeCloseTo(share, 2)
  }
  return found
}

function expectShares(found: Record<number, number>, expected: Record<number, number>): void {
  expect(Object.keys(found)).toEqual(Object.keys(expected))
  for (const [token, share] of Object.entries(expected)) expect(found[Number(token)]).toBeCloseTo(share, 2)
}

test.each<[string, Partial<SamplingSettings>, Record<number, number>]>([
  ['nothing', {}, { 0: 0.5, 1: 0.25, 2: 0.125, 3: 0.125 }],
  ['temperature 0', { temperature: 0 }, { 0: 1 }],
  ['temperature 1/2', { temperature: 0.5 }, { 0: 0.727, 1: 0.182, 2: 0.046, 3: 0.046 }],
  ['top k', { topK: 2 }, { 0: 0.667, 1: 0.333 }],
  ['top p, with the token that crosses it', { topP: 0.6 }, { 0: 0.667, 1: 0.333 }],
  ['top p of what top k leaves', { topK: 2, topP: 0.66 }, { 0: 1 }],
  ['min p', { minP: 0.3 }, { 0: 0.667, 1: 0.333 }],
  ['a bias', { logitBias: new Map([[0, -100]]) }, { 1: 0.5, 2: 0.25, 3: 0.25 }],
])('%s', (_, settings, expected) => {
  expectShares(distribution(settings), expected)
})

const counted: TokenCounts = { prompt: new Set([1]), completion: new Map([[0, 2]]), length: 2 }

test('the presence penalty counts a token of the completion once, the frequency penalty each time', () => {
  expectShares(distribution({ presencePenalty: Math.log(2) }, { counts: counted }), { 0: 0.333, 1: 0.333, 2: 0.167, 3: 0.167 })
  expectShares(distribution({ frequencyPenalty: Math.log(2) }, { counts: counted }), { 0: 0.2, 1: 0.4, 2: 0.2, 3: 0.2 })
})

test('the repetition penalty weakens tokens of prompt and completion', () => {
  const odds = distribution({ repetitionPenalty: 2 }, { counts: counted })
  expect(odds[0]).toBeCloseTo(0.25 / (0.25 + 0.0625 + 0.25), 2)
  expect(odds[1]).toBeCloseTo(0.0625 / (0.25 + 0.0625 + 0.25), 2)
})

test('stop tokens wait for the least length, unless nothing else may come', () => {
  const settings = { stopTokens: [0], minTokens: 3 }
  expectShares(distribution(settings, { counts: counted }), { 1: 0.5, 2: 0.25, 3: 0.25 })
  expect(distribution(settings, { counts: { ...counted, length: 3 } })[0]).toBeCloseTo(0.5, 2)
  expectShares(distribution(settings, { counts: counted, allowed: Uint8Array.of(1, 0, 0, 0) }), { 0: 1 })
})

test('only allowed tokens come', () => {
  expectShares(distribution({}, { allowed: Uint8Array.of(0, 0, 1, 1) }), { 2: 0.5, 3: 0.5 })
})

test('the alternatives are the likeliest, in order', () => {
  const settings = { ...plainSampling, topLogProbabilities: 3 }
  const { top } = chooseToken({ logits, settings, counts: none, allowed: null, uniform: 0.9 })
  expect(top.map(({ token, logProbability }) => [token, Number(Math.exp(logProbability).toFixed(3))])).toEqual([
    [0, 0.5],
    [1, 0.25],
    [2, 0.125],
  ])
})

const settings = fc.record({
  temperature: fc.constantFrom(0, 0.1, 1, 2),
  topP: fc.double({ min: 0, max: 1, noNaN: true }),
  topK: fc.nat({ max: 6 }),
  minP: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('whatever is cut, an allowed token comes with a probability of more than 0', () => {
  const cases = fc.record({
    logits: fc.float32Array({ minLength: 4, maxLength: 4, min: -50, max: 50, noNaN: true }),
    cuts: settings,
    uniform: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    allowed: fc.constantFrom(Uint8Array.of(1, 1, 1, 1), Uint8Array.of(0, 1, 0, 1)),
  })
  fc.assert(
    fc.property(cases, ({ logits, cuts, uniform, allowed }) => {
      const { token, logProbability } = chooseToken({ logits, settings: { ...plainSampling, ...cuts }, counts: none, allowed, uniform })
      expect(allowed[token]).toBe(1)
      expect(logProbability).toBeGreaterThan(-Infinity)
      expect(logProbability).toBeLessThanOrEqual(1e-9)
    }),
    { numRuns: trials({ usual: 200, long: 10_000 }) },
  )
})

test('logits that are not finite are refused', () => {
  const broken = Float32Array.of(1, Number.NaN, 2, 3)
  const choose = () => chooseToken({ logits: broken, settings: plainSampling, counts: none, allowed: null, uniform: 0.5 })
  expect(choose).toThrow('not finite')
})

test.each<[string, Partial<SamplingSettings>]>([
  ['top k of more tokens than are likely', { topK: 900 }],
  ['a top p that only the unlikely complete', { topP: 1 - 1e-9 }],
  ['top p', { topP: 0.9 }],
  ['top p of what top k leaves', { topK: 40, topP: 0.9 }],
  ['a min p below what is likely', { minP: 1e-5 }],
  ['a min p of almost nothing', { minP: 1e-12 }],
])('%s leaves the same of 1,000 tokens, whose weights range from 1 to e^-40, as if all were ordered', (_, changes) => {
  const settings = { ...plainSampling, ...changes }
  const many = Float32Array.from({ length: 1_000 }, (__, id) => -((id * 7_919) % 1_000) / 25)
  const { top } = chooseToken({
    logits: many,
    settings: { ...settings, topLogProbabilities: 1_000 },
    counts: none,
    allowed: null,
    uniform: 0,
  })
  const weights = Array.from(many, (logit, id) => ({ id, weight: Math.exp(logit) })).sort((a, b) => b.weight - a.weight)
  const few = settings.topK > 0 ? weights.slice(0, settings.topK) : weights
  const total = few.reduce((sum, { weight }) => sum + weight, 0)
  const before = few.map((__, index) => few.slice(0, index).reduce((sum, { weight }) => sum + weight, 0))
  const kept = few.filter(({ weight }, index) => index === 0 || (before[index]! < settings.topP * total && weight >= settings.minP))
  expect(top.map(({ token }) => token)).toEqual(kept.map(({ id }) => id))
})
