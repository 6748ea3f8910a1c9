import type { TraceTotal } from '@heddle/core-api'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { derivedIn } from '../../../query/derived-conditions.ts'
import type { TokenPrices } from '../../costs/cost-row.ts'
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
  all_uses: number
  status_of_trace: TraceTotal['status']
  thread_of_trace: string
  parent_missing: number
}

/** One statement: the traces of a range that are large enough. */
export function traceTotalsSql(scope: TracesScope): Sql {
  const { least, prices, limit, project, traceIds } = scope
  const named = traceIds === null ? sql`` : sql` AND trace_id IN ${bind('Array(String)', traceIds)}`
  return sql`WITH ${priceIndexesSql(prices)} AS price_indexes, arrayMap(at -> at > 0, price_indexes) AS have_prices
    SELECT trace_id AS id_of_trace, root_id AS root, toUnixTimestamp64Micro(started_at) AS start_us,
      (toUnixTimestamp64Micro(greatest(ifNull(ended_at, last_start_at), started_at)) - toUnixTimestamp64Micro(started_at)) / 1000 AS duration_ms,
      toFloat64(calls) AS count_of_calls, toFloat64(errors) AS count_of_errors, arraySum(total_tokens) AS tokens,
      ${costSql(prices)} AS cost, arraySum((has, used) -> has * used, have_prices, uses) AS priced, arraySum(uses) AS all_uses,
      toString(status) AS status_of_trace, thread_id AS thread_of_trace, is_parent_missing AS parent_missing
    FROM heddle.traces FINAL WHERE ${derivedIn({ ...scope, projectId: project.id })}${named} AND ${leastSql(least)}
    ORDER BY started_at DESC, trace_id LIMIT ${bind('UInt64', limit)}`
}

/** Where the price of each model that a call used stands among the prices, from 1; 0 for a model without one. Names are bound here alone: they may be thousands. */
function priceIndexesSql(prices: TracesScope['prices']): Sql {
  const models = bind(
    'Array(String)',
    prices.map(({ model }) => model),
  )
  return sql`arrayMap(model -> indexOf(${models}, model), models)`
}

/** What the usage of a call costs, as `priceTokens` has it: cached tokens are taken out of the prompt first. Reads `price_indexes`. */
function costSql(prices: TracesScope['prices']): Sql {
  const priceOf = (name: keyof TokenPrices) => {
    const amounts = bind(
      'Array(Float64)',
      prices.map(({ price }) => price[name]),
    )
    // At index 0 arrayElement returns the default, 0.
    return sql`arrayElement(${amounts}, at)`
  }
  return prices.length === 0
    ? sql`toFloat64(0)`
    : sql`arraySum((at, input, output, cache_read, cache_created) ->
        greatest(input - cache_read - cache_created, 0) * ${priceOf('prompt_token_cost')} + output * ${priceOf('completion_token_cost')}
        + cache_read * ${priceOf('cache_read_input_token_cost')} + cache_created * ${priceOf('cache_creation_input_token_cost')},
        price_indexes, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens)`
}

function leastSql(least: TracesScope['least']): Sql {
  const columns: Record<keyof TracesScope['least'], Sql> = {
    calls: sql`count_of_calls`,
    errors: sql`count_of_errors`,
    tokens: sql`tokens`,
    cost: sql`priced > 0 AND cost`,
    duration_ms: sql`duration_ms`,
  }
  const conditions = Object.entries(columns).flatMap(([name, column]) => {
    const value = least[name as keyof typeof columns]
    return value === null ? [] : [sql`${column} >= ${bind('Float64', value)}`]
  })
  return join([sql`1`, ...conditions], sql` AND `)
}

export function toTraceTotal(row: TraceRow): Awaited<ReturnType<CallsStatsStore['traceTotals']>>[number] {
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
    tokens: row.tokens,
    cost: row.priced === 0 ? null : row.cost,
    unpriced_uses: row.all_uses - row.priced,
  }
}
