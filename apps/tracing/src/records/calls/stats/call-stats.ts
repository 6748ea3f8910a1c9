import { formatTimestamp } from '@heddle/core-api'
import { badRequest, invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { TokenRates } from '@heddle/trace-model'
import { isTimeZone } from '@heddle/trace-model/time'
import { isSplit, noSplits } from '../../../query/price-splits.ts'
import { pickLatestPrice } from '../../costs/pick-price.ts'
import { toRates } from '../../costs/price-tiers.ts'
import { findPriceOfSum, type PricesByModel } from '../../costs/price-usage.ts'
import { splitPrices } from '../../costs/split-prices.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { BucketStats, CallsStatsStore, StatsGrouping, StatsGroups, StatsScope, UsageBucket } from './calls-stats-store.ts'
import { isCounted } from './is-counted.ts'
import { automaticGranularity, boundedGranularity, bucketsOfRange, checkNumbers } from '../../../query/stats-buckets.ts'
import { addCosts, costMembers, countedStats, paidStats, toPaidSums } from './stats-costs.ts'
import {
  emptyStat,
  statsOf,
  splitUsageMetrics,
  type CallMetric,
  type CostMetric,
  type Stat,
  type MetricRequest,
  type UsageMetric,
} from './stats-metrics.ts'

const maxRangeSeconds = 31 * 86_400

export interface CallStatsRequest extends Pick<StatsScope, 'project' | 'filter' | 'query' | 'counted_usage' | 'start'> {
  /** Null = now. */
  end: Micros | null
  /** Seconds; null = derived from the range. */
  granularity: number | null
  timezone: string
  usage_metrics: readonly MetricRequest<UsageMetric>[] | null
  call_metrics: readonly MetricRequest<CallMetric>[] | null
  /** Null: buckets are not split. */
  group_by: StatsGrouping | null
  /** Groups that are returned. */
  group_limit: number
}

/** Stats over time, one object per bucket (and model), empty buckets included. */
export interface CallStats {
  start: string
  end: string
  granularity: number
  timezone: string
  usage_buckets: Record<string, unknown>[]
  call_buckets: Record<string, unknown>[]
  /** Usage entries of the range without a price, by model; only if costs were requested. */
  unpriced_usage?: Record<string, number>
  /**
   * Usage entries without a price whose cost is the reported one, and names of prices used for models without one under their own name; only for
   * traces.
   */
  reported_usage?: Record<string, number>
  priced_as?: Record<string, string>
  /** Groups beyond the limit; only where buckets are split. */
  groups_left_out?: number
}

interface CallStatsDeps {
  store: CallsStatsStore
  prices: PricesFor
  now: Micros
}

/** Sums up the calls of a project that started in a range. @throws ApiError 422 for a range that is empty or too long, 400 for a bad granularity, zone or percentile. */
export async function callStats(request: CallStatsRequest, { store, prices, now }: CallStatsDeps): Promise<CallStats> {
  const end = request.end ?? now
  const { usage_metrics, call_metrics, start, timezone } = request
  checkRange(start, end)
  checkGrouping(request)
  const requested = (usage_metrics ?? call_metrics) !== null
  const granularity = requested ? granularityOf(request.granularity, (end - start) / 1e6) : 0
  const buckets = requested ? bucketsOfRange({ start, end, granularity, timezone }) : []
  const { groups, groups_left_out } = requested ? await findGroups({ ...request, end, now }, store) : { groups: null }
  const scope = { ...request, end, buckets, now, groups }
  const [usage, call_buckets] = await Promise.all([
    usage_metrics === null ? { usage_buckets: [] } : usageBuckets(scope, usage_metrics, { store, prices }),
    call_metrics === null ? [] : callBuckets(scope, call_metrics, store),
  ])
  return {
    start: formatTimestamp(start),
    end: formatTimestamp(end),
    granularity,
    timezone,
    ...usage,
    call_buckets,
    ...(groups_left_out !== undefined && { groups_left_out }),
  }
}

async function findGroups(
  request: CallStatsRequest & Pick<StatsScope, 'end' | 'now'>,
  store: CallsStatsStore,
): Promise<{ groups: StatsGroups | null; groups_left_out?: number }> {
  const { group_by: by, group_limit: limit, call_metrics } = request
  if (by === null) return { groups: null }
  const { groups, total } = await store.groups({ ...request, by, size: call_metrics === null ? 'tokens' : 'calls', limit })
  return { groups: { by, groups }, groups_left_out: total - groups.length }
}

/** @throws ApiError 422 for a range that is empty or longer than 31 days */
export function checkRange(start: Micros, end: Micros): void {
  const fault = end < start ? 'CallStatsReq end must be after start' : 'CallStatsReq date range cannot exceed 31 days'
  if (end < start || (end - start) / 1e6 > maxRangeSeconds) throw invalid([{ loc: ['body'], msg: fault, type: 'value_error' }])
}

/** @throws ApiError 400 for a name that is not in the time zone database */
export function checkTimeZone(timezone: string): void {
  if (!isTimeZone(timezone)) throw badRequest(`timezone ${JSON.stringify(timezone)} is unknown: use an IANA name such as Europe/Berlin`)
}

function checkGrouping({ granularity, timezone, usage_metrics, call_metrics }: CallStatsRequest): void {
  if (granularity !== null && granularity < 1) throw badRequest(`granularity must be at least 1 second, got ${granularity}`)
  checkTimeZone(timezone)
  const percentiles = [...(usage_metrics ?? []), ...(call_metrics ?? [])].flatMap((metric) => metric.percentiles)
  const outside = percentiles.find((percentile) => percentile < 0 || percentile > 100)
  if (outside !== undefined) throw badRequest(`percentile must be between 0 and 100, got ${outside}`)
}

function granularityOf(requested: number | null, rangeSeconds: number): number {
  return boundedGranularity(requested ?? automaticGranularity(rangeSeconds), rangeSeconds)
}

async function usageBuckets(
  scope: StatsScope,
  metrics: readonly MetricRequest<UsageMetric>[],
  { store, prices }: Pick<CallStatsDeps, 'store' | 'prices'>,
): Promise<Pick<CallStats, 'usage_buckets' | 'unpriced_usage' | 'reported_usage' | 'priced_as'>> {
  const { tokens, costs } = splitUsageMetrics(metrics)
  const stats = statsOf(tokens)
  checkNumbers({ buckets: scope.buckets.length, stats: stats.length, groups: groupsOf(scope).length })
  const paid = costs.length === 0 ? [] : [...paidStats, ...(isCounted(scope) ? countedStats : [])]
  const found = await store.usageBuckets(scope, [...stats, ...paid], costs.length === 0 ? null : noSplits)
  const models = [...new Set(found.map((row) => row.model))].sort()
  const split = groupsOf(scope)
  const modelsOf = (group: Group) => (scope.groups?.by === 'model' ? models.filter((model) => model === group.member.group) : models)
  const ofGroup = scope.groups?.by === 'model' ? 1 : models.length
  checkNumbers({ buckets: scope.buckets.length, stats: stats.length + costs.length, models: ofGroup, groups: split.length })
  const ofModels: PricesByModel = costs.length === 0 ? new Map() : await prices(scope.project, models)
  const byKey = new Map(found.map((row) => [keyOf(row), row]))
  const parts = splitPrices(found, ofModels)
  const splits = isCounted(scope) ? parts : { ...noSplits, byPriceable: parts.byPriceable }
  const sums = isSplit(splits)
    ? await store.usageBuckets(scope, paid, splits)
    : found.map((row) => ({ ...row, stats: row.stats.slice(stats.length) }))
  const rates = ratesOf(scope, ofModels)
  const costsByKey = costs.length === 0 ? new Map<string, Record<string, number>>() : costsOf(sums, costs, rates)
  const unpriced = costs.length === 0 ? [] : sums.filter((row) => rates(row) === undefined)
  const unpricedByKey = isCounted(scope) && costs.length > 0 ? sumUnpriced(unpriced) : undefined
  const usage_buckets = scope.buckets.flatMap((bucket) =>
    split.flatMap((group) =>
      modelsOf(group).map((model) => {
        const key = keyOf({ bucket, group: group.id, model })
        const cost = costsByKey.get(key) ?? costMembers(costs, toPaidSums(), undefined)
        const known = { ...toMembers(stats, byKey.get(key)), ...cost, ...(unpricedByKey && { unpriced_uses: unpricedByKey.get(key) ?? 0 }) }
        return { timestamp: formatTimestamp(bucket), ...group.member, model, ...known }
      }),
    ),
  )
  if (costs.length === 0) return { usage_buckets }
  const reported = unpriced.map((row) => ({ ...row, count: reportedUses(row) }))
  return {
    usage_buckets,
    unpriced_usage: countEntries(unpriced.map((row) => ({ ...row, count: row.count - reportedUses(row) }))),
    ...(isCounted(scope) && { reported_usage: countEntries(reported), priced_as: otherNames(models, ofModels) }),
  }
}

/** Models priced under another name, with that name. */
function otherNames(models: readonly string[], prices: PricesByModel): Record<string, string> {
  return Object.fromEntries(
    models.flatMap((model) => {
      const name = prices.get(model)?.[0]?.llm_id
      return name === undefined || name === model ? [] : [[model, name]]
    }),
  )
}

const keyOf = ({ bucket, group, model }: Pick<UsageBucket, 'bucket' | 'group' | 'model'>) => `${bucket}\0${group}\0${model}`

type RatesOf = (used: UsageBucket) => TokenRates | undefined

/**
 * Usage that counts is priced at the rates in force for each request when its call started. Statistics over reported usage use one price per model,
 * the latest, as clients expect.
 */
function ratesOf(scope: StatsScope, prices: PricesByModel): RatesOf {
  if (isCounted(scope)) return (used) => findPriceOfSum(used, prices)?.rates
  return ({ model, are_priceable }) => {
    const price = are_priceable.includes(false) ? undefined : pickLatestPrice(prices.get(model) ?? [])
    return price && toRates({ ...price, details: null }, undefined)
  }
}

/** The costs of each bucket, group and model: the sum over its parts with different prices. */
function costsOf(sums: readonly UsageBucket[], metrics: readonly CostMetric[], of: RatesOf): Map<string, Record<string, number>> {
  const costs = new Map<string, Record<string, number>>()
  for (const row of sums) {
    const members = costMembers(metrics, toPaidSums(row.stats), of(row))
    costs.set(keyOf(row), addCosts(costs.get(keyOf(row)), members))
  }
  return costs
}

/** Uses of each bucket, group and model that have neither a price nor a reported cost. */
function sumUnpriced(rows: readonly UsageBucket[]): Map<string, number> {
  const uses = new Map<string, number>()
  for (const row of rows) uses.set(keyOf(row), (uses.get(keyOf(row)) ?? 0) + row.count - reportedUses(row))
  return uses
}

/** Uses whose reported costs the sums contain. */
const reportedUses = (row: BucketStats) => toPaidSums(row.stats).reported_costs ?? 0

function countEntries(rows: readonly (BucketStats & { model: string })[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { model, count } of rows) if (count > 0) counts.set(model, (counts.get(model) ?? 0) + count)
  return Object.fromEntries(counts)
}

async function callBuckets(scope: StatsScope, metrics: readonly MetricRequest<CallMetric>[], store: CallsStatsStore) {
  const stats = statsOf(metrics)
  const split = groupsOf(scope)
  checkNumbers({ buckets: scope.buckets.length, stats: stats.length, groups: split.length })
  const byKey = new Map((await store.callBuckets(scope, stats)).map((row) => [`${row.bucket}\0${row.group}`, row]))
  return scope.buckets.flatMap((bucket) =>
    split.map((group) => {
      const row = byKey.get(`${bucket}\0${group.id}`)
      return { timestamp: formatTimestamp(bucket), ...group.member, ...toMembers(stats, row) }
    }),
  )
}

interface Group {
  id: string
  member: { group?: string | null }
}

/** The groups of each bucket, and how the answer names them. One without a name where buckets are not split. */
function groupsOf({ groups }: StatsScope): Group[] {
  if (groups === null) return [{ id: '', member: {} }]
  return groups.groups.map(({ id, key }) => ({ id, member: { group: key === '' ? null : key } }))
}

function toMembers(stats: readonly Stat<string>[], row: BucketStats | undefined): Record<string, unknown> {
  const members = stats.map((stat, index) => [stat.key, row?.stats[index] ?? emptyStat(stat)])
  return { ...Object.fromEntries(members), count: row?.count ?? 0 }
}
