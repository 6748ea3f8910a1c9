import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { GroupUsage } from '../../../query/results/summary-query.ts'
import { pickPrice } from '../../costs/pick-price.ts'
import { type PricesByModel, priceTokens } from '../../costs/price-usage.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { EvalResultsStore, SummaryInput } from '../eval-results-store.ts'

interface PredictCostsDeps {
  store: Pick<EvalResultsStore, 'groupUsage'>
  prices: PricesFor
}

/**
 * What the predict calls of groups cost, in all: calls are added up by model between two changes of its prices. `predictKinds` tells the kind of the
 * predict calls of a group by its name. Groups whose models have no price are left out.
 */
export async function predictCosts(
  { store, prices }: PredictCostsDeps,
  { project, input, predictKinds }: { project: ProjectScope; input: SummaryInput; predictKinds: ReadonlyMap<string, string> },
): Promise<Map<string, number>> {
  const read = async (changes: readonly Micros[]) => {
    const all = await store.groupUsage(project, input, changes)
    return all.filter(({ name, kind }) => predictKinds.get(name) === kind)
  }
  const used = await read([])
  const known = await prices(project, new Set(used.map(({ model }) => model)))
  const changes = changesWithin(used, known)
  const costs = new Map<string, number>()
  for (const usage of changes.length === 0 ? used : await read(changes)) {
    const cost = costOf(usage, known)
    if (cost !== undefined) costs.set(usage.name, (costs.get(usage.name) ?? 0) + cost)
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

function costOf({ model, first_micros, ...tokens }: GroupUsage, prices: PricesByModel): number | undefined {
  const price = pickPrice(prices.get(model) ?? [], first_micros)
  if (price === undefined) return undefined
  const prompt_tokens = tokens.uncached_tokens + tokens.cache_read_input_tokens + tokens.cache_creation_input_tokens
  return Object.values(priceTokens({ ...tokens, prompt_tokens }, price)).reduce((sum, cost) => sum + cost, 0)
}
