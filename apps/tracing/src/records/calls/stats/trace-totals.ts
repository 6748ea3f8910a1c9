import { formatTimestamp } from '@heddle/core-api'
import type { CallsTraceTotals, TraceTotals } from '@heddle/core-api/types'
import { invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { type DetailCounts, rateOfWhole, type TokenRates } from '@heddle/trace-model'
import { hasServiceTier } from '../../costs/price-tiers.ts'
import { findPrice, type PricesByModel } from '../../costs/price-usage.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { splitPrices } from '../../costs/split-prices.ts'
import { checkRange } from './call-stats.ts'
import type { CallsStatsStore, ModelRates, UsedTokens } from './calls-stats-store.ts'

type TraceTotalsRequest = Omit<CallsTraceTotals, 'project_id'> & { project: ProjectScope }

/** The last time that is exact in microseconds. */
const latest = Number.MAX_SAFE_INTEGER

interface TraceTotalsDeps {
  store: CallsStatsStore
  prices: PricesFor
  now: Micros
}

/** Sums up the calls that started in a range by trace, each at the price in force when it started, and finds the traces of some size. @throws ApiError 422 for a range that is empty or too long */
export async function traceTotals(
  { project, ...request }: TraceTotalsRequest,
  { store, prices, now }: TraceTotalsDeps,
): Promise<TraceTotals> {
  const range = { project, now, ...rangeOf(request, now) }
  const traceIds = request.trace_ids
  const used = await store.modelsUsed({ ...range, traceIds })
  const ofModels = await prices(
    project,
    used.map(({ model }) => model),
  )
  const { min_calls, min_errors, min_tokens, min_cost, min_duration_ms, limit } = request
  const least = { calls: min_calls, errors: min_errors, tokens: min_tokens, cost: min_cost, duration_ms: min_duration_ms }
  const found = await store.traceTotals({ ...range, traceIds, least, ...ratesInForce(used, ofModels), limit: limit + 1 })
  return {
    traces: found.slice(0, limit).map(({ started_at, ...trace }) => ({ ...trace, started_at: formatTimestamp(started_at) })),
    has_more: found.length > limit,
  }
}

/** The prices of each model that has some, for all that was used of it. A model of which only totals alone are known is one without. */
function ratesInForce(used: readonly UsedTokens[], prices: PricesByModel): { prices: ModelRates[]; isOnePrice: boolean } {
  const splits = splitPrices(used, prices)
  const found = used.flatMap((use): ModelRates[] => {
    const { model, first_micros } = use
    const ofModel = prices.get(model)
    if (ofModel === undefined || !use.are_priceable.includes(true)) return []
    const [changes, bounds] = [splits.changes.get(model) ?? [], splits.bounds.get(model) ?? []]
    const serviceTiers = ['', ...use.service_tiers.filter((tier) => hasServiceTier(ofModel, tier))]
    // The size above a band's bound is in the band; sizes up to the first bound are like the smallest.
    const sizes = [use.least_request, ...bounds.map((bound) => bound + 1)]
    const ratesAt = (started_at: Micros) =>
      serviceTiers.flatMap((serviceTier) =>
        sizes.map((requestTokens) => findPrice({ model, started_at, serviceTier, requestTokens }, prices)!),
      )
    const all = [first_micros, ...changes].flatMap(ratesAt)
    const name = all[0]!.price.llm_id
    return [{ model, pricedAs: name === model ? null : name, changes, bounds, serviceTiers, rates: all.map((one) => one.rates) }]
  })
  const details = new Map(used.map((use) => [use.model, use.details]))
  return {
    prices: found,
    isOnePrice: !splits.byPriceable && found.every(({ model, rates }) => rates.length === 1 && isPlain(rates[0]!, details.get(model)!)),
  }
}

/** Whether no used token is priced separately. */
function isPlain(rates: TokenRates, details: DetailCounts): boolean {
  return (Object.keys(rateOfWhole) as (keyof DetailCounts)[]).every(
    (detail) => details[detail] === 0 || rates[detail] === rates[rateOfWhole[detail]],
  )
}

/** Traces that are named may have started at any time. */
function rangeOf(
  { start, end, trace_ids }: Pick<TraceTotalsRequest, 'start' | 'end' | 'trace_ids'>,
  now: Micros,
): { start: Micros; end: Micros } {
  if (trace_ids !== null) return { start: start ?? 0, end: end ?? latest }
  if (start === null) throw invalid([{ loc: ['body', 'start'], msg: 'start is needed without trace_ids', type: 'value_error' }])
  checkRange(start, end ?? now)
  return { start, end: end ?? now }
}
