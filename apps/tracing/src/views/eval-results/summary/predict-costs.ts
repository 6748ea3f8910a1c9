import { setImmediate } from 'node:timers/promises'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import { readUsage } from '@heddle/trace-model'
import type { GroupUsage, SpecialCall } from '../../../query/results/summary-query.ts'
import { toUsedIn } from '../../../records/calls/row/call-facts.ts'
import { usageOf } from '../../../payload/usage-counts.ts'
import { findPrice, type PricesByModel, priceTokens, sumOfCosts, type UsedCall } from '../../../records/costs/price-usage.ts'
import type { UsageCost } from '../../../records/costs/cost-of-usage.ts'
import type { PricesFor } from '../../../records/costs/prices.ts'
import type { EvalResultsStore, SummaryInput } from '../eval-results-store.ts'
import { type CallCost, costOfCall } from '../trials/trial-cost.ts'
import { specialUsage } from './special-usage.ts'

interface PredictCostsDeps {
  store: Pick<EvalResultsStore, 'groupUsage' | 'specialCalls'>
  prices: PricesFor
}

interface PredictCalls {
  project: ProjectScope
  input: SummaryInput
  predictKinds: ReadonlyMap<string, string>
}

/**
 * Total cost of the predict calls of groups: calls are added up by model between two changes of its prices, except those for which single requests
 * determine the price. `predictKinds` has the kind of the predict calls of a group by its name. Groups whose models have no price are omitted.
 */
export async function predictCosts(
  { store, prices }: PredictCostsDeps,
  { project, input, predictKinds }: PredictCalls,
): Promise<Map<string, UsageCost>> {
  const isPredict = ({ name, kind }: Pick<GroupUsage, 'name' | 'kind'>) => predictKinds.get(name) === kind
  const used = (await store.groupUsage(project, input, [], null)).filter(isPredict)
  const known = await prices(project, new Set(used.map(({ model }) => model)))
  const [changes, special] = [changesWithin(used, known), specialUsage(known)]
  const costs = new Map<string, UsageCost>()
  const add = (name: string, { cost, pricedAs }: CallCost) => {
    if (cost === null) return
    const before = costs.get(name)
    const names = [...new Set([...(before?.pricedAs ?? []), ...pricedAs])]
    costs.set(name, { cost: (before?.cost ?? 0) + cost, pricedAs: names, reported: 0, unpriced: 0 })
  }
  const summed =
    changes.length === 0 && special === null ? used : (await store.groupUsage(project, input, changes, special)).filter(isPredict)
  for (const usage of summed) add(usage.name, costOf(usage, known))
  if (special === null) return costs
  for await (const calls of store.specialCalls(project, input, special)) {
    for (const call of calls) if (isPredict(call)) add(call.name, costOfCall(toUsedCall(call), known))
    await setImmediate()
  }
  return costs
}

/** When the price of a model that was used changed between its first and its last call. */
function changesWithin(used: readonly GroupUsage[], prices: PricesByModel): Micros[] {
  const changes = used.flatMap(({ model, first_micros, last_micros }) =>
    (prices.get(model) ?? [])
      .map(({ effective_date }) => effective_date)
      .filter((change) => change > first_micros && change <= last_micros),
  )
  return [...new Set(changes)].sort((one, other) => one - other)
}

function costOf({ model, first_micros, ...tokens }: GroupUsage, prices: PricesByModel): CallCost {
  const found = findPrice({ model, started_at: first_micros }, prices)
  if (found === undefined) return { cost: null, pricedAs: [] }
  const prompt_tokens = tokens.uncached_tokens + tokens.cache_read_input_tokens + tokens.cache_creation_input_tokens
  const cost = sumOfCosts(priceTokens({ ...tokens, prompt_tokens }, found.rates))
  return { cost, pricedAs: found.price.llm_id === model ? [] : [found.price.llm_id] }
}

function toUsedCall({ started_micros, usage, ...columns }: SpecialCall): UsedCall {
  const summary = `{"usage":${usage}}`
  return { started_at: started_micros, usage: usageOf(summary), uses: readUsage(parseJson(summary), toUsedIn(columns)) }
}
