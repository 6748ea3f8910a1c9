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

/** Keys and sums, in their order: the uses, the counts of `countNames`, their total, the uses with a cost and these costs in billionths; starts and sizes of requests from the least to the most. */
export type ModelUsageRow = [key: string, sums: number[], first: number, last: number, least: number, most: number]

/**
 * An aggregate over rows of usage that counts, with a row per model, tier of service, period between changes of its price, band of sizes and whether
 * prices determine its cost, as `ModelUsageRow[]`.
 */
export function modelUsage(splits: PriceSplits): Sql {
  const model = sql`toString(model)`
  const parts = [
    sql`toString(toUInt8(${rowIsPriceable}))`,
    sql`toString(${pricePeriod(splits, model)})`,
    sql`toString(${priceBand(splits, model)})`,
    sql`toString(service_tier)`,
    model,
  ]
  const key = sql`[concat(${join(parts, sql`, ' ', `)})]`
  const summed = [sql`1`, ...countNames.map((name) => countColumns[name]), sql`total_tokens`, sql`reported_costs`, sql`reported_nanos`]
  const sums = join(
    summed.map((value) => sql`[toFloat64(ifNull(${value}, 0))]`),
    sql`, `,
  )
  const [started, request] = [sql`[toFloat64(toUnixTimestamp64Micro(started_at))]`, sql`[toFloat64(ifNull(request_tokens, 0))]`]
  // All maps are in the order of their keys.
  return sql`arrayMap((sums, firsts, lasts) -> arrayMap(at -> (sums.1[at], [sums.2[at], sums.3[at], sums.4[at], sums.5[at], sums.6[at], sums.7[at], sums.8[at], sums.9[at], sums.10[at], sums.11[at], sums.12[at], sums.13[at], sums.14[at], sums.15[at], sums.16[at], sums.17[at]], firsts.2[at], lasts.2[at], firsts.3[at], lasts.3[at]), arrayEnumerate(sums.1)),
    [sumMap(${key}, ${sums})], [minMap(${key}, ${started}, ${request})], [maxMap(${key}, ${started}, ${request})])[1]`
}

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
