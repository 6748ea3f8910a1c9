import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { Identifier, Reference } from '../../shapes/identifier.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { LenientInt, lenientIntBetween, LenientNumber } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { QueryExpression } from '../../shapes/query-expression.ts'
import { Timestamp, TimestampText } from '../../shapes/timestamp.ts'

const valueType = z.enum(['numeric', 'boolean', 'categorical'])
const aggregation = z.enum(['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'])

const scope = {
  project_id: ProjectId,
  start: Timestamp.describe('Start of the range, inclusive'),
  end: orNull(Timestamp).describe('End of the range, exclusive, at most 31 days after the start. Null: now'),
  feedback_type: orNull(Identifier).describe('Exact type'),
  trigger_ref: orNull(Reference).describe('Exact ref of the trigger; an entry ending in `:*` matches every version'),
}

/** Statistics over the payloads of a time range, in buckets. */
export const FeedbackStats = z.object({
  ...scope,
  granularity: orNull(LenientInt).describe('Seconds of a bucket. Null: chosen by the range'),
  timezone: orDefault(Identifier, 'UTC').describe(
    'IANA name of the time zone to which buckets are aligned. Where its clock changes, a bucket of more than an hour is longer or shorter, and one of an hour or less ends at the change: each bucket ends where the next one starts',
  ),
  query: orNull(QueryExpression).describe('Additional condition on the feedback, as `POST /feedback/query` takes it'),
  group_by: orNull(z.enum(['type', 'scorer', 'user', 'reaction'])).describe(
    'Also splits each bucket by the type of the feedback, the name of its scorer (object or op in `runnable_ref`), who gave it, or its emoji. Null: not split',
  ),
  group_limit: orDefault(lenientIntBetween(1, 100), 10).describe('Groups to return, 1 to 100: those with the most feedback'),
  metrics: orDefault(
    listOf(
      z.object({
        json_path: Identifier.describe('Dot path in the payload: letters, digits, `_`, `.` and space'),
        value_type: orDefault(valueType, 'numeric').describe('JSON type of the values; others are skipped'),
        aggregations: orDefault(listOf(aggregation, 16), []).describe(
          'Aggregations of the values. Empty: avg, min and max of numbers, count_true and count_false of booleans, count of texts',
        ),
        percentiles: orDefault(listOf(LenientNumber, 50), []).describe('Percentiles of numbers to add, 0 to 100'),
      }),
      50,
    ),
    [],
  ).describe('Metric to compute'),
})
export type FeedbackStats = z.output<typeof FeedbackStats>

/** Buckets ordered by time, empty ones included. With `group_by` there is one for every group, the largest group first. */
export const FeedbackStatsAnswer = z.object({
  start: TimestampText.describe('Start of the range'),
  end: TimestampText.describe('End of the range'),
  granularity: z.number().describe('Seconds of a bucket'),
  timezone: z.string().describe('Time zone of the buckets'),
  buckets: z
    .array(JsonObjectShape)
    .describe(
      '`timestamp`, `count`, `<aggregation>_<slug>`, `p<percentile>_<slug>`, and `group` where `group_by` was given, null for feedback without one',
    ),
  window_stats: z
    .record(z.string(), z.record(z.string(), z.number().nullable()))
    .nullable()
    .describe('Metrics over the whole range and all groups, by slug and aggregation. Null without metrics'),
  groups_left_out: z.number().optional().describe('Groups beyond the limit. Absent without `group_by`'),
})
export type FeedbackStatsAnswer = z.output<typeof FeedbackStatsAnswer>

/** Which payloads to inspect. */
export const FeedbackPayloadSchema = z.object({
  ...scope,
  sample_limit: orDefault(LenientInt, 2000).describe('Number of triggers whose newest payload is read, 1 to 5000'),
})
export type FeedbackPayloadSchema = z.output<typeof FeedbackPayloadSchema>

/** The paths that payloads have. */
export const FeedbackPayloadSchemaAnswer = z.object({
  paths: z.array(z.object({ json_path: z.string().describe('Dot path'), value_type: valueType })).describe('Sorted by path, each once'),
})
export type FeedbackPayloadSchemaAnswer = z.output<typeof FeedbackPayloadSchemaAnswer>
