import { bind, join, sql, type Sql } from '@heddle/datastore'
import { isFailed, isUsageRoot } from '../../../query/call-conditions.ts'
import type { TokenPrices } from '../../costs/cost-row.ts'
import type { CallsStatsStore, TracesScope } from './calls-stats-store.ts'

/** A trace as the engine returns it. */
export interface TraceRow {
  id_of_trace: string
  root: string
  start_us: string
  duration_ms: number
  calls: number
  errors: number
  tokens: number
  cost: number
  priced: number
  uses: number
}

/** One statement: the calls in `range` by their traces, of which those that are large enough are kept. */
export function traceTotalsSql({ least, prices, limit }: TracesScope, range: Sql): Sql {
  return sql`WITH ${priceIndexesSql(prices)} AS price_indexes
    SELECT trace_id AS id_of_trace, argMinIf(id, (started_at, id), parent_id = '') AS root,
      toUnixTimestamp64Micro(min(started_at)) AS start_us,
      (toUnixTimestamp64Micro(greatest(ifNull(max(ended_at), max(started_at)), min(started_at))) - toUnixTimestamp64Micro(min(started_at))) / 1000 AS duration_ms,
      toFloat64(count()) AS calls, toFloat64(countIf(${isFailed})) AS errors,
      toFloat64(sumIf(arraySum(usage.input_tokens) + arraySum(usage.output_tokens), ${isUsageRoot})) AS tokens,
      sumIf(${costSql(prices)}, ${isUsageRoot}) AS cost,
      toFloat64(sumIf(arrayCount(at -> at > 0, price_indexes), ${isUsageRoot})) AS priced,
      toFloat64(sumIf(length(usage.model), ${isUsageRoot})) AS uses
    FROM heddle.calls FINAL WHERE ${range} GROUP BY trace_id HAVING ${havingSql(least)}
    ORDER BY min(started_at) DESC, trace_id LIMIT ${bind('UInt64', limit)}`
}

/** Where the price of each model that a call used stands among the prices, from 1; 0 for a model without one. Names are bound here alone: they may be thousands. */
function priceIndexesSql(prices: TracesScope['prices']): Sql {
  const models = bind(
    'Array(String)',
    prices.map(({ model }) => model),
  )
  return sql`arrayMap(model -> indexOf(${models}, toString(model)), usage.model)`
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
        price_indexes, usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)`
}

function havingSql(least: TracesScope['least']): Sql {
  const columns: Record<keyof TracesScope['least'], Sql> = {
    calls: sql`calls`,
    errors: sql`errors`,
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
    root_call_id: row.root === '' ? null : row.root,
    started_at: Number(row.start_us),
    duration_ms: row.duration_ms,
    calls: row.calls,
    errors: row.errors,
    tokens: row.tokens,
    cost: row.priced === 0 ? null : row.cost,
    unpriced_uses: row.uses - row.priced,
  }
}
