import { type CallsTraceTotals, formatTimestamp, type TraceTotals } from '@heddle/core-api'
import { invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { pickLatestPrice } from '../../costs/pick-price.ts'
import type { PricesFor } from '../../costs/prices.ts'
import { checkRange } from './call-stats.ts'
import type { CallsStatsStore, ModelPrice } from './calls-stats-store.ts'

type TraceTotalsRequest = Omit<CallsTraceTotals, 'project_id'> & { project: ProjectScope }

/** The last time that is exact in microseconds. */
const latest = Number.MAX_SAFE_INTEGER

interface TraceTotalsDeps {
  store: CallsStatsStore
  prices: PricesFor
  now: Micros
}

/** Sums up the calls that started in a range by trace, and finds the traces of some size. @throws ApiError 422 for a range that is empty or too long */
export async function traceTotals(
  { project, ...request }: TraceTotalsRequest,
  { store, prices, now }: TraceTotalsDeps,
): Promise<TraceTotals> {
  const range = { project, now, ...rangeOf(request, now) }
  const models = await store.modelsUsed(range)
  const ofModels = await prices(project, models)
  const priced = models.flatMap((model): ModelPrice[] => {
    const price = pickLatestPrice(ofModels.get(model) ?? [])
    return price === undefined ? [] : [{ model, price }]
  })
  const { min_calls, min_errors, min_tokens, min_cost, min_duration_ms, limit, trace_ids: traceIds } = request
  const least = { calls: min_calls, errors: min_errors, tokens: min_tokens, cost: min_cost, duration_ms: min_duration_ms }
  const found = await store.traceTotals({ ...range, traceIds, least, prices: priced, limit: limit + 1 })
  return {
    traces: found.slice(0, limit).map(({ started_at, ...trace }) => ({ ...trace, started_at: formatTimestamp(started_at) })),
    has_more: found.length > limit,
  }
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
