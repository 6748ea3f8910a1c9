import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { isPriceable, readUsage } from '@heddle/trace-model'
import { toUsedIn } from '../../../records/calls/row/call-facts.ts'
import { usageOf } from '../../../payload/usage-counts.ts'
import type { PricesFor } from '../../../records/costs/prices.ts'
import { priceModel, type PricesByModel, sumOfCosts, type UsedCall } from '../../../records/costs/price-usage.ts'
import type { ChildCall } from './child-call.ts'

type PredictCall = Pick<ChildCall, 'usage' | 'started_micros' | 'kind_words' | 'span_scope' | 'service_tier'>

/** Costs of the tokens of predict calls, in their order: the sum over the models that have a price. No cost without a call. */
export async function trialCosts(
  prices: PricesFor,
  project: ProjectScope,
  calls: readonly (PredictCall | undefined)[],
): Promise<CallCost[]> {
  const used = calls.map(toUsedCall)
  const known = await prices(project, new Set(used.flatMap(({ usage }) => [...usage.keys()])))
  return used.map((call) => costOfCall(call, known))
}

function toUsedCall(call: PredictCall | undefined): UsedCall {
  const { started_micros = 0, usage = null, kind_words = '', span_scope = '', service_tier = '' } = call ?? {}
  return {
    started_at: started_micros,
    usage: usageOf(`{"usage":${stringifyJson(usage)}}`),
    uses: usage === null ? [] : readUsage({ usage }, toUsedIn({ kind_words, span_scope, service_tier })),
  }
}

/** Cost of a call's tokens, with the names of the prices used for models without one under their own name. */
export interface CallCost {
  /** Null where no model has a price, and of totals alone. */
  cost: number | null
  pricedAs: string[]
}

/** Cost of a call's tokens, as a client reads it in `costs`. */
export function costOfCall({ started_at, usage, uses }: UsedCall, prices: PricesByModel): CallCost {
  let cost: number | null = null
  const pricedAs = new Set<string>()
  for (const [model, tokens] of usage) {
    const use = uses.find((one) => one.model === model)
    const found = use !== undefined && !isPriceable(use.counts) ? undefined : priceModel(tokens, { model, started_at, use }, prices)
    if (found === undefined) continue
    cost = (cost ?? 0) + sumOfCosts(found.costs)
    if (found.price.llm_id !== model) pricedAs.add(found.price.llm_id)
  }
  return { cost, pricedAs: [...pricedAs].sort() }
}
