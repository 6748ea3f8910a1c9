import fc from 'fast-check'
import { noTokens, priceCounts, type TokenCounts } from '@heddle/trace-model'
import { describe, expect, inject, test } from 'vitest'
import { toDetails } from './cost-row.ts'
import { pickTier, type PriceDetails, toRates } from './price-tiers.ts'
import { aCostRow } from './testing/a-cost-row.ts'

const tiers = [
  { service_tier: '', above_input_tokens: 200, prompt_token_cost: 2 },
  { service_tier: '', above_input_tokens: 500, prompt_token_cost: 5 },
  { service_tier: 'flex', above_input_tokens: 0, prompt_token_cost: 0.5 },
  { service_tier: 'flex', above_input_tokens: 200, prompt_token_cost: 1.5 },
  { service_tier: 'batch', above_input_tokens: 200, prompt_token_cost: 0.25 },
]
const row = aCostRow({ prompt_token_cost: 1, details: { tiers } })

test.each([
  ['a request of the plain service', {}, 1],
  ['one whose prompt is as large as a bound', { requestTokens: 200 }, 1],
  ['one whose prompt is larger', { requestTokens: 201 }, 2],
  ['one beyond the highest bound', { requestTokens: 501 }, 5],
  ['one of a tier', { serviceTier: 'flex', requestTokens: 10 }, 0.5],
  ['usage of a tier that is not of one request', { serviceTier: 'flex' }, 0.5],
  ['one of a tier with a large prompt', { serviceTier: 'flex', requestTokens: 501 }, 1.5],
  ['one of a tier that has prices for large prompts alone', { serviceTier: 'batch', requestTokens: 10 }, 1],
  ['a large one of it', { serviceTier: 'batch', requestTokens: 900 }, 0.25],
  ['one of a tier without a price', { serviceTier: 'priority', requestTokens: 300 }, 2],
])('%s', (_, request, cost) => expect(toRates(row, pickTier(row, request)).input).toBe(cost))

test('what a tier leaves out costs what the price itself says, and what both leave out what its whole does', () => {
  const details: PriceDetails = {
    input_audio_token_cost: 10,
    tiers: [{ service_tier: 'flex', above_input_tokens: 0, prompt_token_cost: 1, cache_creation_input_token_cost: 3 }],
  }
  const price = aCostRow({ prompt_token_cost: 2, completion_token_cost: 4, cache_creation_input_token_cost: 6, details })
  expect(toRates(price, undefined)).toMatchObject({ input: 2, inputAudio: 10, inputImage: 2, output: 4, reasoning: 4, cacheWrite1h: 6 })
  expect(toRates(price, details.tiers[0])).toMatchObject({
    input: 1,
    inputAudio: 10,
    inputImage: 1,
    output: 4,
    cacheWrite: 3,
    cacheWrite1h: 3,
  })
})

test('tokens with prices of their own are paid once, at these', () => {
  const rates = toRates(
    aCostRow({
      prompt_token_cost: 1,
      completion_token_cost: 2,
      cache_read_input_token_cost: 0.1,
      cache_creation_input_token_cost: 1.25,
      details: {
        cache_read_input_audio_token_cost: 0.4,
        cache_read_input_image_token_cost: 0.3,
        cache_creation_1h_input_token_cost: 2,
        input_audio_token_cost: 8,
        input_image_token_cost: 3,
        output_audio_token_cost: 16,
        output_image_token_cost: 6,
        reasoning_token_cost: 4,
        tiers: [],
      },
    }),
    undefined,
  )
  const counts: TokenCounts = {
    ...noTokens,
    input: 100,
    cacheRead: 40,
    cacheReadAudio: 12,
    cacheReadImage: 8,
    cacheWrite: 30,
    cacheWrite1h: 10,
    inputAudio: 5,
    inputImage: 7,
    output: 50,
    outputAudio: 11,
    outputImage: 13,
    reasoning: 17,
  }
  const input = 18 + 20 * 0.1 + 12 * 0.4 + 8 * 0.3 + 20 * 1.25 + 10 * 2 + 5 * 8 + 7 * 3
  expect(priceCounts(counts, rates)).toBeCloseTo(input + 9 * 2 + 11 * 16 + 13 * 6 + 17 * 4, 9)
})

describe('a sum of requests of one tier and band', () => {
  const part = fc.nat(50)
  const counts = fc
    .record({
      text: part,
      readText: part,
      cacheReadAudio: part,
      cacheReadImage: part,
      write5m: part,
      cacheWrite1h: part,
      inputAudio: part,
      inputImage: part,
    })
    .chain((input) =>
      fc.record({ said: part, outputAudio: part, outputImage: part, reasoning: part }).map((output): TokenCounts => ({
        ...noTokens,
        ...input,
        ...output,
        cacheRead: input.readText + input.cacheReadAudio + input.cacheReadImage,
        cacheWrite: input.write5m + input.cacheWrite1h,
        input: Object.values(input).reduce((sum, count) => sum + count, 0),
        output: Object.values(output).reduce((sum, count) => sum + count, 0),
      })),
    )
  const price = fc.integer({ min: 0, max: 20 })
  const prices = fc.record({
    prompt_token_cost: price,
    completion_token_cost: price,
    cache_read_input_token_cost: price,
    cache_creation_input_token_cost: price,
    details: fc.record({
      cache_read_input_audio_token_cost: price,
      cache_creation_1h_input_token_cost: price,
      input_audio_token_cost: price,
      reasoning_token_cost: price,
      tiers: fc.constant([]),
    }),
  })

  test('costs what the requests do', () => {
    fc.assert(
      fc.property(fc.array(counts, { minLength: 1, maxLength: 8 }), prices, (requests, price) => {
        const rates = toRates(aCostRow(price), undefined)
        const names = Object.keys(noTokens) as (keyof TokenCounts)[]
        const sum = Object.fromEntries(
          names.map((name) => [name, requests.reduce((total, one) => total + one[name], 0)]),
        ) as unknown as TokenCounts
        expect(priceCounts(sum, rates)).toBe(requests.reduce((total, one) => total + priceCounts(one, rates), 0))
      }),
      { numRuns: inject('long') ? 20_000 : 500 },
    )
  })
})

test('words of providers for a service tier are read as ours, and the plain service has no name', () => {
  const details = toDetails('m', {
    tiers: [{ service_tier: 'Batches' }, { service_tier: 'ON_DEMAND_FLEX' }, { service_tier: 'default', above_input_tokens: 5 }],
  })
  expect(details?.tiers.map(({ service_tier }) => service_tier)).toEqual(['batch', 'flex', ''])
  expect(toDetails('m', { tiers: [] })).toBeNull()
})

test.each<[string, object[], RegExp]>([
  ['two tiers for the same requests', [{ service_tier: 'flex' }, { service_tier: 'FLEX' }], /"m" has two tiers for flex above 0 tokens/],
  ['a tier that no call can name', [{ service_tier: 'my tier!' }], /"m" has a tier for service_tier "my tier!", which no call names/],
])('%s are refused by name', (_, sent, message) => expect(() => toDetails('m', { tiers: sent })).toThrow(message))
