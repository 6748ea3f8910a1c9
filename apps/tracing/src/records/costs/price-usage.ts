import { formatTimestamp, type Micros } from '@heddle/core-api'
import {
  isPriceable,
  type ModelCounts,
  noTokens,
  type PaidCounts,
  priceCounts,
  priceParts,
  rateNames,
  rateOfWhole,
  type TokenCounts,
  type TokenRates,
} from '@heddle/trace-model'
import type { UsedModel } from '../../query/price-splits.ts'
import type { UsageCounts } from '../../payload/usage-counts.ts'
import type { CostRow } from './cost-row.ts'
import { pickPrice } from './pick-price.ts'
import { pickTier, type PriceTier, type TierOf, toRates } from './price-tiers.ts'

/** What tokens cost, in the units of their price. */
export interface TokenCosts {
  prompt_tokens_total_cost: number
  completion_tokens_total_cost: number
  cache_read_input_tokens_total_cost: number
  cache_creation_input_tokens_total_cost: number
}

/** The tokens that every price is for. Cached tokens count among the prompt tokens too. */
export type PaidTokens = Pick<
  UsageCounts,
  'prompt_tokens' | 'completion_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens'
>

/** Prices of models, by name. A model without any is not in it. */
export type PricesByModel = ReadonlyMap<string, readonly CostRow[]>

/** Usage of one model whose price is looked up. */
export interface PricedUse extends TierOf {
  model: string
  started_at: Micros
}

/** The price of some usage. */
export interface FoundPrice {
  price: CostRow
  /** Undefined where the price itself holds. */
  tier: PriceTier | undefined
  rates: TokenRates
}

/** What tokens of a model cost at the price in force when a call started. Undefined for a model without a price. */
export function findPrice({ model, started_at, ...tierOf }: PricedUse, prices: PricesByModel): FoundPrice | undefined {
  const price = pickPrice(prices.get(model) ?? [], started_at)
  if (price === undefined) return undefined
  const tier = pickTier(price, tierOf)
  return { price, tier, rates: toRates(price, tier) }
}

/** The price of a sum over usage that has one price, or none. */
export function findPriceOfSum(used: UsedModel, prices: PricesByModel): FoundPrice | undefined {
  if (used.are_priceable.includes(false)) return undefined
  const { model, first_micros: started_at, most_request: requestTokens, service_tiers } = used
  return findPrice({ model, started_at, requestTokens, serviceTier: service_tiers[0] }, prices)
}

/**
 * Multiplies tokens by their prices; cached tokens are subtracted from the prompt first. A prompt that was counted without them costs 0, not less.
 * `details` are the tokens among them that may be priced separately.
 */
export function priceTokens(tokens: PaidTokens, rates: TokenRates, details: TokenCounts = noTokens): TokenCosts {
  const parts = priceParts(
    {
      ...details,
      input: tokens.prompt_tokens,
      output: tokens.completion_tokens,
      cacheRead: tokens.cache_read_input_tokens,
      cacheWrite: tokens.cache_creation_input_tokens,
    },
    rates,
  )
  return {
    prompt_tokens_total_cost: parts.input,
    completion_tokens_total_cost: parts.output,
    cache_read_input_tokens_total_cost: parts.cacheRead,
    cache_creation_input_tokens_total_cost: parts.cacheWrite,
  }
}

export const sumOfCosts = (costs: TokenCosts) => Object.values(costs).reduce((sum, part) => sum + part, 0)

/** A call whose usage is priced: as clients expect it, which adds up both spellings of a count, and as totals count it. */
export interface UsedCall {
  started_at: Micros
  usage: ReadonlyMap<string, UsageCounts>
  uses: readonly ModelCounts[]
}

/** The usage of one model of a call, as `UsedCall` has it. */
interface UsedModelOfCall {
  model: string
  started_at: Micros
  use: ModelCounts | undefined
}

/** Cost of one model of a call, with the price used. Undefined if it has no price. */
export function priceModel(counts: UsageCounts, { model, started_at, use }: UsedModelOfCall, prices: PricesByModel) {
  const found = findPrice({ model, started_at, serviceTier: use?.serviceTier, requestTokens: use?.requestTokens }, prices)
  return found && { ...found, costs: priceTokens(counts, found.rates, use?.counts) }
}

/** Cost of each model in a call, with the price used. Undefined if no model has a price. */
export function callCosts({ started_at, usage, uses }: UsedCall, prices: PricesByModel): Record<string, unknown> | undefined {
  const priced = [...usage].flatMap(([model, counts]) => {
    const use = uses.find((one) => one.model === model)
    const found = priceModel(counts, { model, started_at, use }, prices)
    return found === undefined ? [] : [[model, callCost(counts, found)] as const]
  })
  return priced.length === 0 ? undefined : Object.fromEntries(priced)
}

/** Cost of a model's tokens in a call: each token once, whether or not its client counts cached ones in the input. */
export interface CostDetail {
  cost: number
  /** The name under which the price was found; null where the cost is the call's own. */
  priced_as: string | null
  /** `reported`: the usage has no price, and this is the cost that the call reports. */
  source: 'price' | 'reported'
  /** The service tier whose price it is; absent for the plain service. */
  service_tier?: string
  /** The prices are those of requests with a larger prompt than this; absent where they are not. */
  above_input_tokens?: number
  /** The prices of one token that make the cost, by the names of `rateNames`; absent where it is the call's own. */
  token_prices?: Record<string, number>
}

/** Cost of each model in a call, as totals count it. Undefined if none is known. */
export function costDetails(
  { started_at, uses }: Pick<UsedCall, 'started_at' | 'uses'>,
  prices: PricesByModel,
): Record<string, CostDetail> | undefined {
  const priced = uses.flatMap(({ model, counts, ...tierOf }) => {
    const found = isPriceable(counts) ? findPrice({ model, started_at, ...tierOf }, prices) : undefined
    if (found === undefined) return counts.reportedCosts === 0 ? [] : [[model, reportedCost(counts)] as const]
    return [[model, pricedCost(counts, found)] as const]
  })
  return priced.length === 0 ? undefined : Object.fromEntries(priced)
}

const reportedCost = ({ reportedNanos }: TokenCounts): CostDetail => ({ cost: reportedNanos / 1e9, priced_as: null, source: 'reported' })

function pricedCost(counts: PaidCounts, { price, tier, rates }: FoundPrice): CostDetail {
  return {
    cost: priceCounts(counts, rates),
    priced_as: price.llm_id,
    source: 'price',
    ...(tier !== undefined && tier.service_tier !== '' && { service_tier: tier.service_tier }),
    ...(tier !== undefined && tier.above_input_tokens > 0 && { above_input_tokens: tier.above_input_tokens }),
    token_prices: tokenPrices(rates),
  }
}

/** Prices of parts are included only if they differ from the price of their whole. */
function tokenPrices(rates: TokenRates): Record<string, number> {
  const isOwn = (rate: string) => !Object.hasOwn(rateOfWhole, rate) || rates[rate as Part] !== rates[rateOfWhole[rate as Part]]
  const told = Object.entries(rateNames).filter(([rate]) => isOwn(rate))
  return Object.fromEntries(told.map(([rate, name]) => [name, rates[rate as keyof TokenRates]]))
}

type Part = keyof typeof rateOfWhole

/** Member by member: spreading the row would take longer than all else that a call's costs take. */
function callCost(counts: UsageCounts, { price, rates, costs }: FoundPrice & { costs: TokenCosts }): Record<string, unknown> {
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
    prompt_token_cost: rates.input,
    completion_token_cost: rates.output,
    cache_read_input_token_cost: rates.cacheRead,
    cache_creation_input_token_cost: rates.cacheWrite,
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
