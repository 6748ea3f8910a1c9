import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { Reference } from '../../shapes/identifier.ts'
import { LenientCount, LenientFraction, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'

const list = (meaning: string) => orDefault(listOf(Reference, 1000), []).describe(meaning)
const counts = z.record(z.string(), z.number())

/** Which feedback to aggregate, and by what. */
export const FeedbackAggregate = z.object({
  project_id: ProjectId,
  after_ms: LenientCount.describe('Start of the range in unix milliseconds, inclusive'),
  before_ms: LenientCount.describe('End of the range in unix milliseconds, exclusive'),
  time_bucket_seconds: orNull(LenientInt).describe('Seconds of a bucket, aligned to UTC. Null: one bucket'),
  feedback_types: list('Prefixes of types; a trailing `*` is ignored'),
  tags: list('Any of these tags'),
  monitor_ids: list('Names of triggers; a trailing `*` matches by prefix'),
  scorer_ids: list('Names of runnables; a trailing `*` matches by prefix'),
  span_agent_names: list('Names of agents'),
  span_types: orDefault(listOf(z.enum(['agent_turn', 'agent_conversation']), 16), []).describe(
    'Kinds of objects that the feedback is about',
  ),
  rating_min: orNull(LenientFraction).describe('Minimum of rating `_rating_`; excludes feedback without one'),
  rating_max: orNull(LenientFraction).describe('Maximum of rating `_rating_`; excludes feedback without one'),
  group_by: orDefault(listOf(z.enum(['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code']), 16), []).describe(
    'Dimensions to group by',
  ),
})
export type FeedbackAggregate = z.output<typeof FeedbackAggregate>

/** Sums by bucket and group, without the empty ones. */
export const FeedbackAggregateAnswer = z.object({
  time_bucket_seconds: z.number().nullable(),
  after_ms: z.number(),
  before_ms: z.number(),
  buckets: z
    .array(
      z.object({
        time_bucket_start_ms: z.number().nullable().describe('Null without time buckets'),
        group: z.record(z.string(), z.string()).describe('Value of each part of `group_by`'),
        total_count: z.number().describe('Feedback'),
        scored_count: z.number().describe('Feedback with a tag or a rating'),
        tag_counts: counts.describe('Feedback by tag'),
        rating_counts: counts.describe('Ratings by name'),
        rating_sums: counts.describe('Sums of the ratings by name'),
      }),
    )
    .describe('In order of time, then of group'),
})
export type FeedbackAggregateAnswer = z.output<typeof FeedbackAggregateAnswer>
