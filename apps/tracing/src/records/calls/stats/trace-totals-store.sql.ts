import type { TraceTotal } from '@heddle/core-api/types'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { derivedIn, derivedOf, isBehind } from '../../../query/derived-conditions.ts'
import { detailCounts, type TokenRates } from '@heddle/trace-model'
import { countColumns } from '../../../query/model-usage.ts'
import { priceBand, pricePeriod, rowIsPriceable } from '../../../query/price-splits.ts'
import type { Visibility } from '../../../query/visible-records.ts'
import type { CallsStatsStore, TracesScope } from './calls-stats-store.ts'

/** A trace as the engine returns it. */
export interface TraceRow {
  id_of_trace: string
  root: string
  start_us: string
  duration_ms: number
  count_of_calls: number
  count_of_errors: number
  tokens: number
  cost: number
  priced: number
  reported: number
  all_uses: number
  used_models: string[]
  status_of_trace: TraceTotal['status']
  thread_of_trace: string
  parent_missing: number
  behind: number
}

/** One statement: the traces of a range that are large enough. */
export function traceTotalsSql(scope: TracesScope, visibility: Visibility): Sql {
  const { least, prices, isOnePrice, limit } = scope
  const { definitions, cost, reported, priced, joined } = isOnePrice ? costOfSums(prices) : costOfUses(scope, visibility)
  return sql`${definitions} SELECT trace_id AS id_of_trace, root_id AS root, toUnixTimestamp64Micro(started_at) AS start_us,
      (toUnixTimestamp64Micro(greatest(ifNull(ended_at, last_start_at), started_at)) - toUnixTimestamp64Micro(started_at)) / 1000 AS duration_ms,
      toFloat64(calls) AS count_of_calls, toFloat64(errors) AS count_of_errors, arraySum(total_tokens) AS tokens,
      ${cost} AS cost, ${reported} AS reported, ${priced} AS priced, arraySum(uses) AS all_uses, models AS used_models,
      toString(status) AS status_of_trace, thread_id AS thread_of_trace, is_parent_missing AS parent_missing, toUInt8(${isBehind(visibility.now)}) AS behind
    FROM heddle.traces FINAL ${joined} WHERE ${tracesIn(scope, visibility)} AND ${leastSql(least)}
    ORDER BY started_at DESC, trace_id LIMIT ${bind('UInt64', limit)}`
}

type TracesIn = Pick<TracesScope, 'project' | 'start' | 'end' | 'traceIds'>

function tracesIn({ project, start, end, traceIds }: TracesIn, visibility: Visibility): Sql {
  return sql`${derivedIn({ projectId: project.id, start, end, visibility, callId: null })}${amongNamed(traceIds)}`
}

function amongNamed(traceIds: TracesScope['traceIds']): Sql {
  return traceIds === null ? sql`` : sql` AND trace_id IN ${bind('Array(String)', traceIds)}`
}

/**
 * Rows of usage from the first to the last start of a call of the traces that started in a range. The table is in the order of these starts, so totals
 * of a page of traces read no more than the time of that page.
 */
export function usageOfTraces(scope: TracesIn, visibility: Visibility): Sql {
  const startOf = (which: Sql) => sql`(SELECT ${which} FROM heddle.traces FINAL WHERE ${tracesIn(scope, visibility)})`
  const range = [sql`started_at >= ${startOf(sql`min(started_at)`)}`, sql`started_at <= ${startOf(sql`max(last_start_at)`)}`]
  const own = derivedOf({ projectId: scope.project.id, visibility, callId: sql`call_id` })
  return sql`${join([...own, ...range], sql` AND `)}${amongNamed(scope.traceIds)}`
}

/** Columns of a trace's cost, and of how many of its uses report a cost or have a price. */
interface CostColumns {
  definitions: Sql
  cost: Sql
  reported: Sql
  priced: Sql
  joined: Sql
}

/** From the sums of a trace, if each of its models has one price for all usage, and no tokens are priced separately. */
function costOfSums(prices: TracesScope['prices']): CostColumns {
  const paid = sql`arraySum((at, input, output, cache_read, cache_created) ->
        greatest(input - cache_read - cache_created, 0) * ${rateAt(prices, 'input')} + output * ${rateAt(prices, 'output')}
          + cache_read * ${rateAt(prices, 'cacheRead')} + cache_created * ${rateAt(prices, 'cacheWrite')},
        price_indexes, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens)`
  const own = sql`arraySum((has, nanos) -> if(has, 0, nanos), have_prices, arrayResize(reported_nanos, length(models))) / 1000000000`
  return {
    definitions: sql`WITH arrayMap(model -> ${modelIndex(prices)}, models) AS price_indexes, arrayMap(at -> at > 0, price_indexes) AS have_prices`,
    cost: sql`${prices.length === 0 ? sql`toFloat64(0)` : paid} + ${own}`,
    reported: sql`arraySum((has, used) -> if(has, 0, used), have_prices, arrayResize(reported_costs, length(models)))`,
    priced: sql`arraySum((has, used) -> has * used, have_prices, uses)`,
    joined: sql``,
  }
}

/** From each use of a model in a trace, at the price in force for its request when its call started. */
function costOfUses(scope: TracesScope, visibility: Visibility): CostColumns {
  const { prices } = scope
  const cost = join(
    paidKinds.map(({ rate, count }) => sql`${count} * ${rateAt(prices, rate)}`),
    sql` + `,
  )
  const uses = sql`SELECT trace_id AS paid_trace, ${rateIndex(prices)} AS at, if(at > 0, ${cost}, toFloat64(ifNull(reported_nanos, 0)) / 1000000000) AS use_cost,
      toFloat64(ifNull(reported_costs, 0)) AS own_costs
    FROM heddle.usage FINAL WHERE ${usageOfTraces(scope, visibility)}`
  return {
    definitions: sql``,
    cost: sql`paid_cost`,
    reported: sql`own_uses`,
    priced: sql`paid_uses`,
    joined: sql`LEFT JOIN (SELECT paid_trace, sum(use_cost) AS paid_cost,
      sum(if(at > 0, 0, own_costs)) AS own_uses, toFloat64(countIf(at > 0)) AS paid_uses FROM (${uses}) GROUP BY paid_trace) AS paid ON trace_id = paid_trace`,
  }
}

const counted = (name: keyof typeof countColumns) => sql`toFloat64(ifNull(${countColumns[name]}, 0))`

/** Tokens of a row of usage that have one price, as `priceParts` has them. */
const paidKinds: readonly { rate: keyof TokenRates; count: Sql }[] = [
  {
    rate: 'input',
    count: sql`greatest(${counted('input')} - ${counted('cacheRead')} - ${counted('cacheWrite')} - ${counted('inputAudio')} - ${counted('inputImage')}, 0)`,
  },
  {
    rate: 'output',
    count: sql`greatest(${counted('output')} - ${counted('outputAudio')} - ${counted('outputImage')} - ${counted('reasoning')}, 0)`,
  },
  { rate: 'cacheRead', count: sql`(${counted('cacheRead')} - ${counted('cacheReadAudio')} - ${counted('cacheReadImage')})` },
  { rate: 'cacheWrite', count: sql`(${counted('cacheWrite')} - ${counted('cacheWrite1h')})` },
  ...detailCounts.map((rate) => ({ rate, count: counted(rate) })),
]

/** Index of a usage row's rates among those of all models, from 1; 0 for one without a price. */
function rateIndex(prices: TracesScope['prices']): Sql {
  const model = sql`toString(model)`
  const ofModel = <T>(type: 'Array(Int64)' | 'Array(Array(String))', valueOf: (own: TracesScope['prices'][number]) => T) =>
    sql`arrayElement(${bind(type, prices.map(valueOf) as never)}, ${modelIndex(prices)})`
  const limits = (name: 'changes' | 'bounds') => new Map(prices.filter((own) => own[name].length > 0).map((own) => [own.model, own[name]]))
  const firsts = firstIndexes(prices)
  const first = ofModel('Array(Int64)', (own) => firsts[prices.indexOf(own)]!)
  // A tier without its own price has that of the plain service, which is the first.
  const tier = sql`greatest(indexOf(${ofModel('Array(Array(String))', (own) => own.serviceTiers)}, toString(service_tier)), 1) - 1`
  const period = pricePeriod({ changes: limits('changes') }, model)
  const band = priceBand({ bounds: limits('bounds') }, model)
  const bands = ofModel('Array(Int64)', (own) => own.bounds.length + 1)
  const tiers = ofModel('Array(Int64)', (own) => own.serviceTiers.length)
  return sql`if(${modelIndex(prices)} = 0 OR NOT ${rowIsPriceable}, 0, ${first} + ((${period}) * ${tiers} + ${tier}) * ${bands} + ${band})`
}

/** Indexes of the first rates of each model among all, from 1. */
function firstIndexes(prices: TracesScope['prices']): number[] {
  let next = 1
  return prices.map(({ rates }) => (next += rates.length) - rates.length)
}

/** Index of `model` among the models with prices, from 1; 0 for one without. */
function modelIndex(prices: TracesScope['prices']): Sql {
  const models = bind(
    'Array(String)',
    prices.map(({ model }) => model),
  )
  return sql`indexOf(${models}, toString(model))`
}

/** The rate at index `at` among those of all models, from 1; at 0 arrayElement returns the default, 0. */
function rateAt(prices: TracesScope['prices'], name: keyof TokenRates): Sql {
  const amounts = bind(
    'Array(Float64)',
    prices.flatMap(({ rates }) => rates.map((rate) => rate[name])),
  )
  return sql`arrayElement(${amounts}, at)`
}

function leastSql(least: TracesScope['least']): Sql {
  const columns: Record<keyof TracesScope['least'], Sql> = {
    calls: sql`count_of_calls`,
    errors: sql`count_of_errors`,
    tokens: sql`tokens`,
    cost: sql`priced + reported > 0 AND cost`,
    duration_ms: sql`duration_ms`,
  }
  const conditions = Object.entries(columns).flatMap(([name, column]) => {
    const value = least[name as keyof typeof columns]
    return value === null ? [] : [sql`${column} >= ${bind('Float64', value)}`]
  })
  return join([sql`1`, ...conditions], sql` AND `)
}

/** `pricedAs`: the names of the prices of models that have none under their own name, by model. */
export function toTraceTotal(
  row: TraceRow,
  pricedAs: ReadonlyMap<string, string>,
): Awaited<ReturnType<CallsStatsStore['traceTotals']>>[number] {
  return {
    trace_id: row.id_of_trace,
    root_call_id: row.root,
    started_at: Number(row.start_us),
    duration_ms: row.duration_ms,
    status: row.status_of_trace,
    thread_id: row.thread_of_trace || null,
    is_parent_missing: row.parent_missing === 1,
    calls: row.count_of_calls,
    errors: row.count_of_errors,
    tokens: row.tokens || null,
    cost: row.priced + row.reported === 0 ? null : row.cost,
    is_behind: row.behind === 1,
    reported_uses: row.reported,
    priced_as: [...new Set(row.used_models.flatMap((model) => pricedAs.get(model) ?? []))].sort(),
    unpriced_uses: row.all_uses - row.priced - row.reported,
  }
}
