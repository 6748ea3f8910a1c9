import type { FeedbackAggregate, FeedbackAggregateAnswer } from '@heddle/core-api/internal'
import { isShortRange, refuseRange } from './feedback-range.ts'
import type { AggregatedFeedback } from './feedback-stats-store.ts'

const maxBuckets = 256

/** @throws 422 for a range that is empty or, but for a plain total, above 31 days; for a bucket below a second; and for more than 256 buckets. */
export function checkAggregate(request: FeedbackAggregate): void {
  const { after_ms, before_ms, time_bucket_seconds: seconds, rating_min, rating_max } = request
  if (before_ms <= after_ms) throw refuseRange('before_ms', 'before_ms must be greater than after_ms')
  if (seconds !== null && seconds < 1) throw refuseRange('time_bucket_seconds', 'time_bucket_seconds must be greater than 0')
  if (rating_min !== null && rating_max !== null && rating_min > rating_max)
    throw refuseRange('rating_max', 'rating_max must not be less than rating_min')
  if (!isShortRange({ start: after_ms * 1000, end: before_ms * 1000 }) && !isPlainTotal(request))
    throw refuseRange('before_ms', 'above 31 days only the total is added up: leave out filters, group_by and time_bucket_seconds')
  if (seconds !== null && bucketCount(request, seconds * 1000) > maxBuckets)
    throw refuseRange('time_bucket_seconds', `the range has more than ${maxBuckets} buckets: choose a larger time_bucket_seconds`)
}

function isPlainTotal({ time_bucket_seconds, rating_min, rating_max, ...request }: FeedbackAggregate): boolean {
  const lists = [
    request.feedback_types,
    request.tags,
    request.monitor_ids,
    request.scorer_ids,
    request.span_agent_names,
    request.span_types,
    request.group_by,
  ]
  return time_bucket_seconds === null && rating_min === null && rating_max === null && lists.every((list) => list.length === 0)
}

function bucketCount({ after_ms, before_ms }: FeedbackAggregate, bucketMs: number): number {
  return Math.floor((before_ms - 1) / bucketMs) - Math.floor(after_ms / bucketMs) + 1
}

/** The answer: sparse, but for the one row of a plain sum, which is there without data too. */
export function toAggregateAnswer(request: FeedbackAggregate, found: readonly AggregatedFeedback[]): FeedbackAggregateAnswer {
  const { time_bucket_seconds, after_ms, before_ms, group_by } = request
  const isSparse = time_bucket_seconds !== null || group_by.length > 0
  const rows = found.length > 0 || isSparse ? found : [nothing]
  return { time_bucket_seconds, after_ms, before_ms, buckets: rows.map((row) => toBucket(row, group_by)) }
}

const nothing: AggregatedFeedback = {
  time_bucket_start_ms: null,
  group: [],
  total_count: 0,
  scored_count: 0,
  tag_counts: new Map(),
  rating_counts: new Map(),
  rating_sums: new Map(),
}

function toBucket(row: AggregatedFeedback, groupBy: FeedbackAggregate['group_by']): FeedbackAggregateAnswer['buckets'][number] {
  return {
    ...row,
    group: Object.fromEntries(groupBy.map((name, index) => [name, row.group[index] ?? ''])),
    tag_counts: Object.fromEntries(row.tag_counts),
    rating_counts: Object.fromEntries(row.rating_counts),
    rating_sums: Object.fromEntries(row.rating_sums),
  }
}
