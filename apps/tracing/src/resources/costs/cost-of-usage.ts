import type { ModelUsage } from '../../query/model-usage.ts'
import { pickLatestPrice } from './pick-price.ts'
import { priceTokens, type PricesByModel } from './price-usage.ts'

export interface UsageCost {
  /** Null where no model has a price: an unknown cost is not a cost of 0. */
  cost: number | null
  /** Uses of models without a price. */
  unpriced: number
}

/** What tokens of models cost at the latest price of each. */
export function costOfUsage(usage: readonly ModelUsage[], prices: PricesByModel): UsageCost {
  let [cost, unpriced]: [number | null, number] = [null, 0]
  for (const { model, uses, ...tokens } of usage) {
    const price = pickLatestPrice(prices.get(model) ?? [])
    if (price === undefined) unpriced += uses
    else cost = Object.values(priceTokens(tokens, price)).reduce((sum, part) => sum + part, cost ?? 0)
  }
  return { cost, unpriced }
}
