import { expect, test } from 'vitest'
import { arePrices, isTier, tierText, toPrices, toTier } from './price-form.ts'

const flex = { key: 0, serviceTier: ' flex ', above: '', prices: { prompt_token_cost: '0.5' } }

test('prices of a million tokens become those of one, and empty ones are not stated', () => {
  expect(toPrices({ prompt_token_cost: '0.1', completion_token_cost: ' 30 ', reasoning_token_cost: ' ' })).toEqual({
    prompt_token_cost: 1e-7,
    completion_token_cost: 3e-5,
  })
})

test('a tier names its requests and its prices', () => {
  expect(toTier(flex)).toEqual({ service_tier: 'flex', above_input_tokens: null, prompt_token_cost: 5e-7 })
  expect(toTier({ ...flex, serviceTier: '', above: '200000' })).toMatchObject({ service_tier: null, above_input_tokens: 200_000 })
})

test.each([
  ['one of a service tier', flex, true],
  ['one of large prompts', { ...flex, serviceTier: '', above: '200000' }, true],
  ['one of all requests', { ...flex, serviceTier: '' }, false],
  ['one without a price', { ...flex, prices: {} }, false],
  ['one with a bound that is not a number', { ...flex, above: '200k' }, false],
  ['one with a price below 0', { ...flex, prices: { prompt_token_cost: '-1' } }, false],
])('%s can be sent: %s', (_, tier, isComplete) => expect(isTier(tier)).toBe(isComplete))

test('a price that is not a number is found', () => expect(arePrices({ reasoning_token_cost: 'free' })).toBe(false))

test('a tier is shown in words', () => {
  expect(tierText({ service_tier: 'flex', above_input_tokens: 200_000 })).toBe('flex, prompts above 200,000 tokens')
  expect(tierText({ service_tier: null, above_input_tokens: 272_000 })).toBe('prompts above 272,000 tokens')
})
