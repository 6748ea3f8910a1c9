import { formatTimestamp } from '@heddle/core-api'
import { badRequest, invalid } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { CostRow } from '../../costs/cost-row.ts'
import { pickLatestPrice } from '../../costs/pick-price.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { BucketStats, CallsStatsStore, StatsGrouping, StatsGroups, StatsScope } from './calls-stats-store.ts'
import { automaticGranularity, boundedGranularity, bucketStarts, checkNumbers, isTimezone } from './stats-buckets.ts'
import { costMembers, paidStats, type TokenSums } from './stats-costs.ts'
import { emptyStat, statsOf, splitUsageMetrics, type CallMetric, type Stat, type MetricRequest, type UsageMetric } from './stats-metrics.ts'

const maxRangeSeconds = 31 * 86_400

export interface CallStatsRequest extends Pick<StatsScope, 'project' | 'filter' | 'query' | 'start'> {
  /** Null = now. */
  end: Micros | null
  /** Seconds; null = by the range. */
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
  /** Usage entries of the range for which there is no price, by model; only where costs were asked for. */
  unpriced_usage?: Record<string, number>
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
  const asked = (usage_metrics ?? call_metrics) !== null
  const granularity = asked ? granularityOf(request.granularity, (end - start) / 1e6) : 0
  const buckets = asked ? bucketStarts({ start, end, granularity, timezone }) : []
  const { groups, groups_left_out } = asked ? await findGroups({ ...request, end, now }, store) : { groups: null }
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

function checkGrouping({ granularity, timezone, usage_metrics, call_metrics }: CallStatsRequest): void {
  if (granularity !== null && granularity < 1) throw badRequest(`granularity must be at least 1 second, got ${granularity}`)
  if (!isTimezone(timezone)) throw badRequest(`timezone ${JSON.stringify(timezone)} is unknown: use an IANA name such as Europe/Berlin`)
  const percentiles = [...(usage_metrics ?? []), ...(call_metrics ?? [])].flatMap((metric) => metric.percentiles)
  const outside = percentiles.find((percentile) => percentile < 0 || percentile > 100)
  if (outside !== undefined) throw badRequest(`percentile must be between 0 and 100, got ${outside}`)
}

function granularityOf(asked: number | null, rangeSeconds: number): number {
  return boundedGranularity(asked ?? automaticGranularity(rangeSeconds), rangeSeconds)
}

async function usageBuckets(
  scope: StatsScope,
  metrics: readonly MetricRequest<UsageMetric>[],
  { store, prices }: Pick<CallStatsDeps, 'store' | 'prices'>,
): Promise<Pick<CallStats, 'usage_buckets' | 'unpriced_usage'>> {
  const { tokens, costs } = splitUsageMetrics(metrics)
  const stats = statsOf(tokens)
  checkNumbers({ buckets: scope.buckets.length, stats: stats.length, groups: groupsOf(scope).length })
  const found = await store.usageBuckets(scope, costs.length === 0 ? stats : [...stats, ...paidStats])
  const models = [...new Set(found.map((row) => row.model))].sort()
  const split = groupsOf(scope)
  const modelsOf = (group: Group) => (scope.groups?.by === 'model' ? models.filter((model) => model === group.member.group) : models)
  const ofGroup = scope.groups?.by === 'model' ? 1 : models.length
  checkNumbers({ buckets: scope.buckets.length, stats: stats.length + costs.length, models: ofGroup, groups: split.length })
  const priceOf = costs.length === 0 ? new Map<string, CostRow>() : await latestPrices(scope, models, prices)
  const byKey = new Map(found.map((row) => [`${row.bucket}\0${row.group}\0${row.model}`, row]))
  const usage_buckets = scope.buckets.flatMap((bucket) =>
    split.flatMap((group) =>
      modelsOf(group).map((model) => {
        const row = byKey.get(`${bucket}\0${group.id}\0${model}`)
        const paid = costMembers(costs, toTokenSums(row?.stats.slice(stats.length)), priceOf.get(model))
        return { timestamp: formatTimestamp(bucket), ...group.member, model, ...toMembers(stats, row), ...paid }
      }),
    ),
  )
  return costs.length === 0
    ? { usage_buckets }
    : { usage_buckets, unpriced_usage: countEntries(found.filter((row) => !priceOf.has(row.model))) }
}

async function latestPrices({ project }: StatsScope, models: readonly string[], prices: PricesFor): Promise<Map<string, CostRow>> {
  const latest = new Map<string, CostRow>()
  for (const [model, rows] of await prices(project, models)) {
    const price = pickLatestPrice(rows)
    if (price !== undefined) latest.set(model, price)
  }
  return latest
}

function toTokenSums(sums: readonly (number | null)[] = []): TokenSums {
  return Object.fromEntries(paidStats.map(({ metric }, index) => [metric, sums[index] ?? 0])) as TokenSums
}

function countEntries(rows: readonly (BucketStats & { model: string })[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { model, count } of rows) counts.set(model, (counts.get(model) ?? 0) + count)
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
