import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { lenientIntBetween, LenientInt, LenientNumber } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { QueryExpression } from '../../shapes/query-expression.ts'
import { Timestamp, TimestampText } from '../../shapes/timestamp.ts'

const usageMetrics = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_cost',
  'output_cost',
  'total_cost',
] as const
const callMetrics = ['latency_ms', 'call_count', 'error_count'] as const

const aggregation = z.enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])

const metrics = <const Names extends readonly string[]>(names: Names) =>
  orNull(
    listOf(
      z.object({
        metric: z.enum(names).describe('Metric to compute'),
        aggregations: orDefault(listOf(aggregation, 16), ['sum']).describe('Aggregation of the values of a bucket'),
        percentiles: orDefault(listOf(LenientNumber, 50), []).describe('Percentiles to add, 0 to 100'),
      }),
      16,
    ),
  )

/** Statistics of a time range, in buckets. */
export const CallsStats = z.object({
  project_id: ProjectId,
  start: Timestamp.describe('Start of the range, inclusive'),
  end: orNull(Timestamp).describe('End of the range, exclusive, at most 31 days after the start. Null: now'),
  granularity: orNull(LenientInt).describe('Seconds of a bucket. Null: chosen by the range'),
  usage_metrics: metrics(usageMetrics).describe('Token and cost metrics, per model'),
  call_metrics: metrics(callMetrics).describe('Metrics of the calls themselves'),
  filter: orNull(CallsFilter).describe('Which calls'),
  query: orNull(QueryExpression).describe('Additional condition on the calls; both must match'),
  group_by: orNull(z.enum(['op', 'user', 'thread', 'model'])).describe(
    'Also splits each bucket by op, user, thread or model. A call that used several models counts once for each of them, with the whole of its latency; one that used none is in the group null. Null: not split',
  ),
  group_limit: orDefault(lenientIntBetween(1, 100), 10).describe(
    'Groups to return, 1 to 100: those with the most calls; with the most tokens where only usage metrics are requested',
  ),
  timezone: orDefault(z.string(), 'UTC').describe('IANA name of the time zone to which buckets are aligned'),
})
export type CallsStats = z.output<typeof CallsStats>

/**
 * Buckets in order of time; `usage_buckets` has one per bucket and model. With `group_by` there is one of each for every group, the largest group
 * first; `group` is the key of `UsageTotal`. By model, usage has the one bucket of that model in each group.
 */
export const CallsStatsAnswer = z.object({
  start: TimestampText.describe('Start of the range'),
  end: TimestampText.describe('End of the range'),
  granularity: z.number().describe('Seconds of a bucket. 0 when no metric was requested'),
  timezone: z.string().describe('Time zone of the buckets'),
  usage_buckets: z
    .array(JsonObjectShape)
    .describe('`timestamp`, `model`, `<aggregation>_<metric>`, `p<percentile>_<metric>`, `count`, and `group` where `group_by` was given'),
  call_buckets: z
    .array(JsonObjectShape)
    .describe('`timestamp`, `<aggregation>_<metric>`, `p<percentile>_<metric>`, `count`, and `group` where `group_by` was given'),
  groups_left_out: z.number().optional().describe('Groups beyond the limit. Absent without `group_by`'),
  unpriced_usage: z
    .record(z.string(), z.number())
    .optional()
    .describe('Number of uses without a known price, by model name; they count as 0 in costs. Absent unless costs were requested'),
})
export type CallsStatsAnswer = z.output<typeof CallsStatsAnswer>
