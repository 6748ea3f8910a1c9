import { bind, type Micros, sql, type Sql } from '@heddle/datastore'

/** When and how a model was used. */
export interface UsedModel {
  model: string
  /** Starts of its first and of its last call. */
  first_micros: Micros
  last_micros: Micros
  /** Sizes of the smallest and of the largest prompt of a request; 0 for usage of several. */
  least_request: number
  most_request: number
  /** `''` for the plain service. */
  service_tiers: readonly string[]
  /** Whether prices of tokens determine its cost (`isPriceable`): both, if some of it is a total alone. */
  are_priceable: readonly boolean[]
}

/** When the price of models changes, ascending, by model. Models with a constant price are missing. */
export type PriceChanges = ReadonlyMap<string, readonly Micros[]>

/** What separates usage of one model by price, so that each sum of equal rows has one price. */
export interface PriceSplits {
  changes: PriceChanges
  /** Sizes of prompts beyond which requests have other prices, ascending, by model. A model without any is not in it. */
  bounds: ReadonlyMap<string, readonly number[]>
  /** Whether the row distinguishes service tiers. */
  byTier: boolean
  /** Whether the row distinguishes usage that token prices do not cover. */
  byPriceable: boolean
}

export const noSplits: PriceSplits = { changes: new Map(), bounds: new Map(), byTier: false, byPriceable: false }

export function isSplit({ changes, bounds, byTier, byPriceable }: PriceSplits): boolean {
  return changes.size > 0 || bounds.size > 0 || byTier || byPriceable
}

/** How many changes of the price of a row's model precede the start of its call. `model` is a string; the row has the start as `started_at`. */
export function pricePeriod({ changes }: Pick<PriceSplits, 'changes'>, model: Sql): Sql {
  return countReached(changes, model, sql`limit -> limit <= toUnixTimestamp64Micro(started_at)`)
}

/** How many bounds the request of a row of usage exceeds. */
export function priceBand({ bounds }: Pick<PriceSplits, 'bounds'>, model: Sql): Sql {
  return countReached(bounds, model, sql`limit -> limit < ifNull(request_tokens, 0)`)
}

/** The service tier of a usage row, if rows are split by tier. */
export function priceTier({ byTier }: Pick<PriceSplits, 'byTier'>): Sql {
  return byTier ? sql`toString(service_tier)` : sql`''`
}

/** Whether token prices can give the cost of a usage row; the same rule as `isPriceable`. */
export const rowIsPriceable: Sql = sql`(input_tokens + output_tokens > 0 OR (total_tokens = 0 AND ifNull(reported_costs, 0) = 0))`

/** The same, if rows are split by it. */
export function pricePart({ byPriceable }: Pick<PriceSplits, 'byPriceable'>): Sql {
  return byPriceable ? rowIsPriceable : sql`1`
}

/** How many limits of a model meet a condition on `limit`. */
function countReached(limits: ReadonlyMap<string, readonly number[]>, model: Sql, reached: Sql): Sql {
  if (limits.size === 0) return sql`0`
  const models = bind('Array(String)', [...limits.keys()])
  const values = bind('Array(Array(Int64))', [...limits.values()])
  // At index 0 arrayElement returns the default, no limits.
  return sql`arrayCount(${reached}, arrayElement(${values}, indexOf(${models}, ${model})))`
}

/** The facts about the rows of a group that determine which prices they may have, in the fields of `UsedModel`. */
export const pricedRange: Sql = sql`toFloat64(toUnixTimestamp64Micro(min(started_at))) AS first_micros, toFloat64(toUnixTimestamp64Micro(max(started_at))) AS last_micros,
  toFloat64(min(ifNull(request_tokens, 0))) AS least_request, toFloat64(max(ifNull(request_tokens, 0))) AS most_request, groupUniqArray(toString(service_tier)) AS service_tiers,
  groupUniqArray(toBool(${rowIsPriceable})) AS are_priceable`
