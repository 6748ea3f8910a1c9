import { join, type Micros, sql, type Sql } from '@heddle/datastore'
import type { PaidCounts } from '@heddle/trace-model'
import { type PriceSplits, priceBand, pricePeriod, rowIsPriceable, type UsedModel } from './price-splits.ts'

/** Sums of the usage of one model and tier of service, between two changes of its price and two bounds of it. */
export interface ModelUsage extends UsedModel {
  /** Entries of usage that were summed up. */
  uses: number
  counts: PaidCounts
  /** Input and output; for entries without parts, their total. */
  total: number
  /** Entries that carry what they cost. */
  reported_costs: number
  /** The reported costs of these, in dollars. */
  reported_cost: number
}

/** Columns of usage that are summed up, with the counts that they are. */
export const countColumns: Readonly<Record<keyof PaidCounts, Sql>> = {
  input: sql`input_tokens`,
  output: sql`output_tokens`,
  cacheRead: sql`cache_read_tokens`,
  cacheReadAudio: sql`cache_read_audio_tokens`,
  cacheReadImage: sql`cache_read_image_tokens`,
  cacheWrite: sql`cache_write_tokens`,
  cacheWrite1h: sql`cache_write_1h_tokens`,
  inputAudio: sql`input_audio_tokens`,
  inputImage: sql`input_image_tokens`,
  outputAudio: sql`output_audio_tokens`,
  outputImage: sql`output_image_tokens`,
  reasoning: sql`reasoning_tokens`,
}

const countNames = Object.keys(countColumns) as (keyof PaidCounts)[]

/** The key's parts and the sums, in their order: the uses, the counts of `countNames`, their total, the uses with a cost and these costs in billionths; starts and sizes of requests from the least to the most. */
type ModelUsageRow = [key: string, sums: number[], first: number, last: number, least: number, most: number]

/** An answered row of `usageByKey`. */
export interface UsageOfKey {
  key_of_usage: string
  tokens: number
  usage_of_models: ModelUsageRow[]
}

interface UsageByKey {
  /** What the usage is summed up by. */
  key: Sql
  /** `FROM` and what follows: the rows of usage. */
  rows: Sql
  splits: PriceSplits
}

/**
 * A statement with a row per key: `key_of_usage`, `tokens` in all, and `usage_of_models` as `ModelUsageRow[]`, an element per model, tier of service,
 * period between changes of its price, band of sizes and whether prices determine its cost.
 */
export function usageByKey({ key, rows, splits }: UsageByKey): Sql {
  const model = sql`toString(model)`
  const parts = [
    sql`toUInt8(ifNull(${rowIsPriceable}, 0))`,
    pricePeriod(splits, model),
    priceBand(splits, model),
    sql`service_tier`,
    sql`model`,
  ]
  const names = [sql`priceable`, sql`period`, sql`band`, sql`tier_of_usage`, sql`model_of_usage`]
  const summed = [...countNames.map((name) => countColumns[name]), sql`total_tokens`, sql`reported_costs`, sql`reported_nanos`]
  const sums = [sql`toFloat64(count())`, ...summed.map((value) => sql`toFloat64(ifNull(sum(${value}), 0))`)]
  const grouped = sql`SELECT ${key} AS key_of_usage, ${list(parts.map((part, at) => sql`${part} AS ${names[at]!}`))}, [${list(sums)}] AS sums,
      toFloat64(toUnixTimestamp64Micro(min(started_at))) AS first_start, toFloat64(toUnixTimestamp64Micro(max(started_at))) AS last_start,
      toFloat64(min(ifNull(request_tokens, 0))) AS least_request, toFloat64(max(ifNull(request_tokens, 0))) AS most_request, toFloat64(ifNull(sum(total_tokens), 0)) AS sum_of_tokens
    ${rows} GROUP BY key_of_usage, ${list(names)}`
  const words = join(
    names.map((name) => sql`toString(${name})`),
    sql`, ' ', `,
  )
  return sql`SELECT key_of_usage, sum(sum_of_tokens) AS tokens,
      arraySort(groupArray((concat(${words}), sums, first_start, last_start, least_request, most_request))) AS usage_of_models
    FROM (${grouped}) GROUP BY key_of_usage`
}

const list = (columns: readonly Sql[]) => join(columns, sql`, `)

export function toModelUsage([key, [uses = 0, ...sums], first, last, least, most]: ModelUsageRow): ModelUsage {
  const [priceable, , , tier = '', ...model] = key.split(' ')
  const counts = Object.fromEntries(countNames.map((name, at) => [name, sums[at] ?? 0])) as Record<keyof PaidCounts, number>
  const [total = 0, reported_costs = 0, reported_nanos = 0] = sums.slice(countNames.length)
  return {
    model: model.join(' '),
    uses,
    counts,
    total,
    reported_costs,
    reported_cost: reported_nanos / 1e9,
    first_micros: first as Micros,
    last_micros: last as Micros,
    least_request: least,
    most_request: most,
    service_tiers: [tier],
    are_priceable: [priceable === '1'],
  }
}
