import { priceModel, type PricesByModel, type TokenCosts } from '../../costs/price-usage.ts'
import type { UsageCounts } from '../../../payload/usage-counts.ts'

/** Token counts of one model with their costs: 0 if the model has no price. */
export interface PricedUsage extends UsageCounts, TokenCosts {}

const free: TokenCosts = {
  prompt_tokens_total_cost: 0,
  completion_tokens_total_cost: 0,
  cache_read_input_tokens_total_cost: 0,
  cache_creation_input_tokens_total_cost: 0,
}

/** The names of costs in usage. */
export const costNames = Object.keys(free) as (keyof TokenCosts)[]

/** The usage of one model in one call, at the price in force when the call started. */
export function toPricedUsage(
  counts: UsageCounts,
  { prices, ...used }: Parameters<typeof priceModel>[1] & { prices: PricesByModel },
): PricedUsage {
  return { ...counts, ...(priceModel(counts, used, prices)?.costs ?? free) }
}

/** The sum of two usages. */
export function addUsage(one: PricedUsage, other: PricedUsage): PricedUsage {
  const sum = { ...one }
  for (const name of Object.keys(sum) as (keyof PricedUsage)[]) sum[name] += other[name]
  return sum
}

/** True when nothing was counted and nothing paid. */
export function isZeroUsage(usage: PricedUsage): boolean {
  return Object.values(usage).every((count) => count === 0)
}
