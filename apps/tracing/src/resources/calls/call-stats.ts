import { badRequest, formatTimestamp, invalid } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { BucketFigures, CallsStatsStore, StatsScope } from './calls-stats-store.ts'
import { automaticGranularity, boundedGranularity, bucketStarts, isTimezone } from './stats-buckets.ts'
import {
  emptyFigure,
  figuresOf,
  splitUsageMetrics,
  type CallMetric,
  type Figure,
  type MetricRequest,
  type UsageMetric,
} from './stats-metrics.ts'

const maxRangeSeconds = 31 * 86_400

export interface CallStatsRequest extends Pick<StatsScope, 'project' | 'filter' | 'start'> {
  /** Null = now. */
  end: Micros | null
  /** Seconds; null = by the range. */
  granularity: number | null
  timezone: string
  usage_metrics: readonly MetricRequest<UsageMetric>[] | null
  call_metrics: readonly MetricRequest<CallMetric>[] | null
}

/** Figures over time, one object per bucket (and model), empty buckets included. */
export interface CallStats {
  start: string
  end: string
  granularity: number
  timezone: string
  usage_buckets: Record<string, unknown>[]
  call_buckets: Record<string, unknown>[]
}

/** Sums up the calls of a project that started in a range. @throws ApiError 422 for a range that is empty or too long, 400 for a bad granularity, zone or percentile. */
export async function callStats(request: CallStatsRequest, store: CallsStatsStore, now: Micros): Promise<CallStats> {
  const end = request.end ?? now
  const { usage_metrics, call_metrics, start, timezone } = request
  checkRange(start, end)
  checkGrouping(request)
  const asked = (usage_metrics ?? call_metrics) !== null
  const granularity = asked ? granularityOf(request.granularity, (end - start) / 1e6) : 0
  const buckets = asked ? bucketStarts({ start, end, granularity, timezone }) : []
  const scope = { ...request, end, buckets }
  const [usage_buckets, call_buckets] = await Promise.all([
    usage_metrics === null ? [] : usageBuckets(scope, usage_metrics, store),
    call_metrics === null ? [] : callBuckets(scope, call_metrics, store),
  ])
  return { start: formatTimestamp(start), end: formatTimestamp(end), granularity, timezone, usage_buckets, call_buckets }
}

function checkRange(start: Micros, end: Micros): void {
  const fault = end < start ? 'CallStatsReq end must be after start' : 'CallStatsReq date range cannot exceed 31 days'
  if (end < start || (end - start) / 1e6 > maxRangeSeconds) throw invalid([{ loc: ['body'], msg: fault, type: 'value_error' }])
}

function checkGrouping({ granularity, timezone, usage_metrics, call_metrics }: CallStatsRequest): void {
  if (granularity !== null && granularity < 1)
    throw badRequest(`granularity ${granularity} is not possible: it counts seconds and is at least 1`)
  if (!isTimezone(timezone)) throw badRequest(`timezone ${JSON.stringify(timezone)} is unknown: use an IANA name such as Europe/Berlin`)
  const percentiles = [...(usage_metrics ?? []), ...(call_metrics ?? [])].flatMap((metric) => metric.percentiles)
  const outside = percentiles.find((percentile) => percentile < 0 || percentile > 100)
  if (outside !== undefined) throw badRequest(`percentile ${outside} is not possible: it lies between 0 and 100`)
}

function granularityOf(asked: number | null, rangeSeconds: number): number {
  return boundedGranularity(asked ?? automaticGranularity(rangeSeconds), rangeSeconds)
}

async function usageBuckets(scope: StatsScope, metrics: readonly MetricRequest<UsageMetric>[], store: CallsStatsStore) {
  const { tokens, costs } = splitUsageMetrics(metrics)
  const figures = figuresOf(tokens)
  const found = await store.usageBuckets(scope, figures)
  const models = [...new Set(found.map((row) => row.model))].sort()
  const byKey = new Map(found.map((row) => [`${row.bucket}\0${row.model}`, row]))
  // There are no prices yet, so every model is an unknown one: it costs 0.
  const costFigures = Object.fromEntries(costs.map((cost) => [`sum_${cost}`, 0]))
  return scope.buckets.flatMap((bucket) =>
    models.map((model) => ({
      timestamp: formatTimestamp(bucket),
      model,
      ...toMembers(figures, byKey.get(`${bucket}\0${model}`)),
      ...costFigures,
    })),
  )
}

async function callBuckets(scope: StatsScope, metrics: readonly MetricRequest<CallMetric>[], store: CallsStatsStore) {
  const figures = figuresOf(metrics)
  const byBucket = new Map((await store.callBuckets(scope, figures)).map((row) => [row.bucket, row]))
  return scope.buckets.map((bucket) => ({ timestamp: formatTimestamp(bucket), ...toMembers(figures, byBucket.get(bucket)) }))
}

function toMembers(figures: readonly Figure<string>[], row: BucketFigures | undefined): Record<string, unknown> {
  const members = figures.map((figure, index) => [figure.key, row?.figures[index] ?? emptyFigure(figure)])
  return { ...Object.fromEntries(members), count: row?.count ?? 0 }
}
