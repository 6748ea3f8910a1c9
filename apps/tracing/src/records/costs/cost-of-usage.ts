import { priceCounts } from '@heddle/trace-model'
import type { ModelUsage } from '../../query/model-usage.ts'
import { findPriceOfSum, type PricesByModel } from './price-usage.ts'

export interface UsageCost {
  /** Null where no model has a price: an unknown cost is not a cost of 0. */
  cost: number | null
  /** Uses without a price that carry no cost either: of models without one, and totals alone. */
  unpriced: number
  /** Names of the prices of models that have none under their own name, sorted. */
  pricedAs: string[]
  /** Uses of models without a price whose own costs are in `cost`. */
  reported: number
}

/** Source of a cost, as in answers: absent if it is entirely at the prices of the names of its models. */
export interface StatedSource {
  priced_as?: string[] | undefined
  reported_uses?: number | undefined
}

export function toStatedSource({ pricedAs, reported }: Pick<UsageCost, 'pricedAs' | 'reported'>): StatedSource {
  return { ...(pricedAs.length > 0 && { priced_as: pricedAs }), ...(reported > 0 && { reported_uses: reported }) }
}

/**
 * Cost of models' tokens at the price of the first call and the largest request of each sum; if a model has no price, the cost reported by its uses.
 */
export function costOfUsage(usage: readonly ModelUsage[], prices: PricesByModel): UsageCost {
  const pricedAs = new Set<string>()
  let [cost, unpriced, reported]: [number | null, number, number] = [null, 0, 0]
  for (const used of usage) {
    const { model, uses, counts, reported_costs, reported_cost } = used
    const found = findPriceOfSum(used, prices)
    if (found === undefined) {
      unpriced += uses - reported_costs
      reported += reported_costs
      if (reported_costs > 0) cost = (cost ?? 0) + reported_cost
    } else {
      if (found.price.llm_id !== model) pricedAs.add(found.price.llm_id)
      cost = (cost ?? 0) + priceCounts(counts, found.rates)
    }
  }
  return { cost, unpriced, pricedAs: [...pricedAs].sort(), reported }
}
