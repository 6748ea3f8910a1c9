import { formatTimestamp } from '@heddle/core-api'
import { badRequest, type FeedbackStats, type FeedbackStatsAnswer } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { isTimeZone } from '@heddle/trace-model/time'
import { automaticGranularity, boundedGranularity, bucketsOfRange, checkNumbers } from '../../../query/stats-buckets.ts'
import { emptyStat, type FeedbackStat, statsOfMetrics, keyOf } from './feedback-metrics.ts'
import { checkRange } from './feedback-range.ts'
import type { FeedbackBucket, FeedbackGroups, FeedbackScope, FeedbackSplit, FeedbackStatsStore } from './feedback-stats-store.ts'

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
  const starts = end === start ? [] : bucketsOfRange({ start, end, granularity, timezone })
  const scope = { ...request, end }
  const { groups, groups_left_out } = await findGroups(request, scope, store)
  checkNumbers({ buckets: starts.length, stats: stats.length, ...(groups && { groups: groups.groups.length }) })
  const [found, window] = await Promise.all([
    starts.length === 0 ? [] : store.buckets(scope, { starts, groups }, stats),
    store.buckets(scope, { starts: [start], groups: null }, stats),
  ])
  return {
    ...range,
    granularity,
    buckets: toBuckets({ starts, groups }, found, stats),
    window_stats: toWindow(window[0], stats),
    ...(groups_left_out !== undefined && { groups_left_out }),
  }
}

function checkGrouping({ granularity, timezone }: FeedbackStats): void {
  if (granularity !== null && granularity < 1) throw badRequest(`granularity must be at least 1 second, got ${granularity}`)
  if (!isTimeZone(timezone)) throw badRequest(`timezone ${JSON.stringify(timezone)} is unknown: use an IANA name such as Europe/Berlin`)
}

async function findGroups(
  { group_by: by, group_limit: limit }: FeedbackStats,
  scope: FeedbackScope,
  store: FeedbackStatsStore,
): Promise<{ groups: FeedbackGroups | null; groups_left_out?: number }> {
  if (by === null) return { groups: null }
  const { groups, total } = await store.groups(scope, by, limit)
  return { groups: { by, groups }, groups_left_out: total - groups.length }
}

function toBuckets({ starts, groups }: FeedbackSplit, found: readonly FeedbackBucket[], stats: readonly FeedbackStat[]) {
  const byKey = new Map(found.map((row) => [`${row.bucket} ${row.group}`, row]))
  const split = groups === null ? [{ id: '', member: {} }] : groups.groups.map(({ id, key }) => ({ id, member: { group: key || null } }))
  return starts.flatMap((bucket) =>
    split.map(({ id, member }) => {
      const row = byKey.get(`${bucket} ${id}`)
      const members = stats.map((stat, index) => [keyOf(stat), row?.stats[index] ?? emptyStat(stat)])
      return { timestamp: formatTimestamp(bucket), ...member, ...Object.fromEntries(members), count: row?.count ?? 0 }
    }),
  )
}

function toWindow(row: FeedbackBucket | undefined, stats: readonly FeedbackStat[]): Record<string, Record<string, number | null>> {
  const window: Record<string, Record<string, number | null>> = {}
  for (const [index, { slug, name }] of stats.entries()) (window[slug] ??= {})[name] = row?.stats[index] ?? null
  return window
}
