import { formatTimestamp, type Micros } from '@heddle/core-api'
import type { UsageCounts } from '../calls/stats/usage-counts.ts'
import type { CostRow, TokenPrices } from './cost-row.ts'
import { pickPrice } from './pick-price.ts'

/** What tokens cost, in the units of their price. */
export interface TokenCosts {
  prompt_tokens_total_cost: number
  completion_tokens_total_cost: number
  cache_read_input_tokens_total_cost: number
  cache_creation_input_tokens_total_cost: number
}

/** The tokens that are paid for. Cached tokens count among the prompt tokens too. */
export type PaidTokens = Pick<
  UsageCounts,
  'prompt_tokens' | 'completion_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
>

/** Multiplies tokens by their prices; cached tokens are taken out of the prompt first. A prompt that was counted without them costs 0, not less. */
export function priceTokens(tokens: PaidTokens, price: TokenPrices): TokenCosts {
  const uncached = tokens.prompt_tokens - tokens.cache_read_input_tokens - tokens.cache_creation_input_tokens
  return {
    prompt_tokens_total_cost: Math.max(uncached, 0) * price.prompt_token_cost,
    completion_tokens_total_cost: tokens.completion_tokens * price.completion_token_cost,
    cache_read_input_tokens_total_cost: tokens.cache_read_input_tokens * price.cache_read_input_token_cost,
    cache_creation_input_tokens_total_cost: tokens.cache_creation_input_tokens * price.cache_creation_input_token_cost,
  }
}

/** Prices of models, by name. A model without any is not in it. */
export type PricesByModel = ReadonlyMap<string, readonly CostRow[]>

/** A call whose usage is priced. */
export interface UsedCall {
  started_at: Micros
  usage: ReadonlyMap<string, UsageCounts>
}

/** What each model cost in a call, with the price that was used. Undefined when no model has a price. */
export function callCosts({ started_at, usage }: UsedCall, prices: PricesByModel): Record<string, unknown> | undefined {
  const priced = [...usage].flatMap(([model, counts]) => {
    const price = pickPrice(prices.get(model) ?? [], started_at)
    return price === undefined ? [] : [[model, callCost(counts, price)] as const]
  })
  return priced.length === 0 ? undefined : Object.fromEntries(priced)
}

/** Member by member: spreading the row would take longer than all else that a call's costs take. */
function callCost(counts: UsageCounts, price: CostRow): Record<string, unknown> {
  const costs = priceTokens(counts, price)
  return {
    prompt_tokens: counts.prompt_tokens,
    completion_tokens: counts.completion_tokens,
    requests: counts.requests,
    total_tokens: counts.total_tokens,
    cache_read_input_tokens: counts.cache_read_input_tokens,
    cache_creation_input_tokens: counts.cache_creation_input_tokens,
    prompt_tokens_total_cost: costs.prompt_tokens_total_cost,
    completion_tokens_total_cost: costs.completion_tokens_total_cost,
    cache_read_input_tokens_total_cost: costs.cache_read_input_tokens_total_cost,
    cache_creation_input_tokens_total_cost: costs.cache_creation_input_tokens_total_cost,
    prompt_token_cost: price.prompt_token_cost,
    completion_token_cost: price.completion_token_cost,
    cache_read_input_token_cost: price.cache_read_input_token_cost,
    cache_creation_input_token_cost: price.cache_creation_input_token_cost,
    prompt_token_cost_unit: price.prompt_token_cost_unit,
    completion_token_cost_unit: price.completion_token_cost_unit,
    effective_date: formatTimestamp(price.effective_date),
    provider_id: price.provider_id,
    pricing_level: price.pricing_level,
    pricing_level_id: price.pricing_level_id,
    created_at: formatTimestamp(price.created_at),
    created_by: price.created_by,
  }
}
