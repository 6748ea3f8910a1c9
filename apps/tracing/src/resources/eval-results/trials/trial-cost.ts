import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { usageOf } from '../../calls/stats/usage-counts.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { type PricesByModel, priceTokens } from '../../costs/price-usage.ts'
import { pickPrice } from '../../costs/pick-price.ts'
import type { ChildCall } from './child-call.ts'

type PredictCall = Pick<ChildCall, 'usage' | 'started_micros'>

/** What the tokens of predict calls cost, in their order: the sum over the models that have a price. Null without a call, and where no model has one. */
export async function trialCosts(
  prices: PricesFor,
  project: ProjectScope,
  calls: readonly (PredictCall | undefined)[],
): Promise<(number | null)[]> {
  const used = calls.map((call) => ({
    started_at: call?.started_micros ?? 0,
    usage: usageOf(`{"usage":${stringifyJson(call?.usage ?? null)}}`),
  }))
  const known = await prices(project, new Set(used.flatMap(({ usage }) => [...usage.keys()])))
  return used.map((call) => costOf(call, known))
}

function costOf({ started_at, usage }: { started_at: number; usage: ReturnType<typeof usageOf> }, prices: PricesByModel): number | null {
  let sum: number | null = null
  for (const [model, tokens] of usage) {
    const price = pickPrice(prices.get(model) ?? [], started_at)
    if (price === undefined) continue
    sum = Object.values(priceTokens(tokens, price)).reduce((total, cost) => total + cost, sum ?? 0)
  }
  return sum
}
