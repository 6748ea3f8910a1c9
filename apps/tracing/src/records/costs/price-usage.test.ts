import { expect, test } from 'vitest'
import { callCosts, priceTokens } from './price-usage.ts'
import { toRates } from './price-tiers.ts'
import { aCostRow } from './testing/a-cost-row.ts'

const rates = toRates(
  aCostRow({ prompt_token_cost: 2, completion_token_cost: 3, cache_read_input_token_cost: 5, cache_creation_input_token_cost: 7 }),
  undefined,
)
const tokens = { prompt_tokens: 10, completion_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 }

test('cached tokens are paid at their own price, and taken out of the prompt', () => {
  expect(priceTokens(tokens, rates)).toEqual({
    prompt_tokens_total_cost: 8,
    completion_tokens_total_cost: 3,
    cache_read_input_tokens_total_cost: 20,
    cache_creation_input_tokens_total_cost: 14,
  })
})

test('a prompt that was counted without its cached tokens costs 0, not less', () => {
  expect(priceTokens({ ...tokens, prompt_tokens: 5 }, rates).prompt_tokens_total_cost).toBe(0)
})

test('a call in which no model has a price has no costs', () => {
  const counts = { requests: 1, total_tokens: 11, ...tokens }
  const call = { started_at: 0, usage: new Map([['m', counts]]), uses: [] }
  expect(callCosts(call, new Map())).toBeUndefined()
  expect(callCosts({ ...call, usage: new Map() }, new Map([['m', [aCostRow()]]]))).toBeUndefined()
})
