import { formatTimestamp } from '@heddle/core-api'
import { badRequest, type FeedbackStats, type FeedbackStatsAnswer } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { automaticGranularity, boundedGranularity, bucketStarts, checkNumbers, isTimezone } from '../../calls/stats/stats-buckets.ts'
import { emptyStat, type FeedbackStat, statsOfMetrics, keyOf } from './feedback-metrics.ts'
import { checkRange } from './feedback-range.ts'
import type { FeedbackBucket, FeedbackStatsStore } from './feedback-stats-store.ts'

const idleGranularity = 3600

/** Stats over the payloads of a project. @throws 422 for a range that is upside down or too long, 400 for a bad metric, granularity or zone. */
export async function feedbackStats(
  request: FeedbackStats & { project: ProjectScope },
  store: FeedbackStatsStore,
  now: Micros,
): Promise<FeedbackStatsAnswer> {
  const { start, timezone } = request
  const end = request.end ?? now
  checkRange({ start, end })
  checkGrouping(request)
  const stats = statsOfMetrics(request.metrics)
  const range = { start: formatTimestamp(start), end: formatTimestamp(end), timezone }
  if (stats.length === 0) return { ...range, granularity: idleGranularity, buckets: [], window_stats: null }
  const seconds = (end - start) / 1e6
  const granularity = boundedGranularity(request.granularity ?? automaticGranularity(seconds), seconds)
  const starts = end === start ? [] : bucketStarts({ start, end, granularity, timezone })
  checkNumbers({ buckets: starts.length, stats: stats.length })
  const scope = { ...request, end }
  const [found, window] = await Promise.all([
    starts.length === 0 ? [] : store.buckets(scope, starts, stats),
    store.buckets(scope, [start], stats),
  ])
  return { ...range, granularity, buckets: toBuckets(starts, found, stats), window_stats: toWindow(window[0], stats) }
}

function checkGrouping({ granularity, timezone }: FeedbackStats): void {
  if (granularity !== null && granularity < 1) throw badRequest(`granularity must be at least 1 second, got ${granularity}`)
  if (!isTimezone(timezone)) throw badRequest(`timezone ${JSON.stringify(timezone)} is unknown: use an IANA name such as Europe/Berlin`)
}

function toBuckets(starts: readonly Micros[], found: readonly FeedbackBucket[], stats: readonly FeedbackStat[]) {
  const byStart = new Map(found.map((row) => [row.bucket, row]))
  return starts.map((bucket) => {
    const row = byStart.get(bucket)
    const members = stats.map((stat, index) => [keyOf(stat), row?.stats[index] ?? emptyStat(stat)])
    return { timestamp: formatTimestamp(bucket), ...Object.fromEntries(members), count: row?.count ?? 0 }
  })
}

function toWindow(row: FeedbackBucket | undefined, stats: readonly FeedbackStat[]): Record<string, Record<string, number | null>> {
  const window: Record<string, Record<string, number | null>> = {}
  for (const [index, { slug, name }] of stats.entries()) (window[slug] ??= {})[name] = row?.stats[index] ?? null
  return window
}
