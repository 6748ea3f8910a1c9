import type { Micros } from '@heddle/datastore'
import type { PriceChanges, PriceSplits, UsedModel } from '../../query/price-splits.ts'
import { boundsOf, hasServiceTier } from './price-tiers.ts'
import type { PricesByModel } from './price-usage.ts'

/**
 * Splits of some models' usage such that each sum has one price: changes of prices and their bounds that lie within the usage of each, tiers of
 * service with their own prices, and usage that no price applies to.
 */
export function splitPrices(used: readonly UsedModel[], prices: PricesByModel): PriceSplits {
  const changes = new Map<string, Micros[]>()
  const bounds = new Map<string, number[]>()
  for (const [model, { first, last, least, most }] of rangesOf(used)) {
    const ofModel = prices.get(model) ?? []
    const within = ofModel.map(({ effective_date }) => effective_date).filter((change) => change > first && change <= last)
    if (within.length > 0) changes.set(model, inOrder(within))
    const exceeded = boundsOf(ofModel).filter((bound) => bound >= least && bound < most)
    if (exceeded.length > 0) bounds.set(model, exceeded)
  }
  const byTier = used.some(({ model, service_tiers }) => service_tiers.some((tier) => hasServiceTier(prices.get(model) ?? [], tier)))
  return { changes, bounds, byTier, byPriceable: used.some(({ are_priceable }) => are_priceable.length > 1) }
}

/** Combines the splits of several projects. */
export function joinSplits(lists: readonly PriceSplits[]): PriceSplits {
  return {
    changes: joinLimits(lists.map(({ changes }) => changes)),
    bounds: joinLimits(lists.map(({ bounds }) => bounds)),
    byTier: lists.some(({ byTier }) => byTier),
    byPriceable: lists.some(({ byPriceable }) => byPriceable),
  }
}

function joinLimits(lists: readonly PriceChanges[]): PriceChanges {
  const joined = new Map<string, readonly number[]>()
  for (const [model, limits] of lists.flatMap((list) => [...list])) joined.set(model, inOrder([...(joined.get(model) ?? []), ...limits]))
  return joined
}

const inOrder = (limits: readonly number[]) => [...new Set(limits)].sort((one, other) => one - other)

interface Range {
  first: Micros
  last: Micros
  least: number
  most: number
}

function rangesOf(used: readonly UsedModel[]): Map<string, Range> {
  const ranges = new Map<string, Range>()
  for (const { model, first_micros, last_micros, least_request, most_request } of used) {
    const range = ranges.get(model)
    if (range === undefined) ranges.set(model, { first: first_micros, last: last_micros, least: least_request, most: most_request })
    else {
      range.first = Math.min(range.first, first_micros)
      range.last = Math.max(range.last, last_micros)
      range.least = Math.min(range.least, least_request)
      range.most = Math.max(range.most, most_request)
    }
  }
  return ranges
}
