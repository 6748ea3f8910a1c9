import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { CallsFilter } from '../../shapes/calls-filter.ts'
import { Identifier } from '../../shapes/identifier.ts'
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
  usage_metrics: metrics(usageMetrics).describe(
    'Token and cost metrics, per model. Costs of traces (`trace_roots_only`) and of `counted_usage` are at the price in force when each call started, others at the latest price of each model',
  ),
  counted_usage: orDefault(z.boolean(), false).describe(
    'Sum up what counts of the usage of the calls: an agent that repeats what its model calls report adds nothing. Usage of traces (`trace_roots_only`) always does. False: what each call reports, repeated or not',
  ),
  call_metrics: metrics(callMetrics).describe('Metrics of the calls themselves'),
  filter: orNull(CallsFilter).describe('Which calls'),
  query: orNull(QueryExpression).describe('Additional condition on the calls; both must match'),
  group_by: orNull(z.enum(['op', 'user', 'thread', 'model'])).describe(
    'Also splits each bucket by op, user, thread or model. A call that used several models counts once for each of them, with the whole of its latency; one that used none is in the group null. Null: not split',
  ),
  group_limit: orDefault(lenientIntBetween(1, 100), 10).describe(
    'Groups to return, 1 to 100: those with the most calls; with the most tokens where only usage metrics are requested',
  ),
  timezone: orDefault(Identifier, 'UTC').describe(
    'IANA name of the time zone to which buckets are aligned. Where its clock changes, a bucket of more than an hour is longer or shorter, and one of an hour or less ends at the change: each bucket ends where the next one starts',
  ),
})
export type CallsStats = z.output<typeof CallsStats>

/**
 * Buckets ordered by time; `usage_buckets` has one per bucket and model. With `group_by` there is one for each group, the largest group first;
 * `group` is the key of `UsageTotal`. By model, usage has the one bucket of that model in each group.
 */
export const CallsStatsAnswer = z.object({
  start: TimestampText.describe('Start of the range'),
  end: TimestampText.describe('End of the range'),
  granularity: z.number().describe('Seconds of a bucket. 0 when no metric was requested'),
  timezone: z.string().describe('Time zone of the buckets'),
  usage_buckets: z
    .array(JsonObjectShape)
    .describe(
      '`timestamp`, `model`, `<aggregation>_<metric>`, `p<percentile>_<metric>`, `count`, `group` where `group_by` was given, and `unpriced_uses` where costs of usage that counts were requested',
    ),
  call_buckets: z
    .array(JsonObjectShape)
    .describe('`timestamp`, `<aggregation>_<metric>`, `p<percentile>_<metric>`, `count`, and `group` where `group_by` was given'),
  groups_left_out: z.number().optional().describe('Groups beyond the limit. Absent without `group_by`'),
  unpriced_usage: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'Number of uses without a known price, by model name; they count as 0 in costs. A use that tells only its total has none. Absent unless costs were requested',
    ),
  reported_usage: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'Number of uses without a known price whose cost is the one that they carry, by model name. Absent unless costs of usage that counts were requested',
    ),
  priced_as: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Name of the price, by model name, of models that have none under their own name. Absent unless costs of usage that counts were requested',
    ),
})
export type CallsStatsAnswer = z.output<typeof CallsStatsAnswer>
