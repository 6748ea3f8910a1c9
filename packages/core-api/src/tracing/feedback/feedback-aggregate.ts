import { z } from 'zod'
import { listOf } from '../../shapes/bounded.ts'
import { LenientCount, LenientFraction, LenientInt } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'

const list = (meaning: string) => orDefault(listOf(z.string(), 1000), []).describe(meaning)
const counts = z.record(z.string(), z.number())

/** Which feedback to add up, and by what. */
export const FeedbackAggregate = z.object({
  project_id: ProjectId,
  after_ms: LenientCount.describe('Start of the range in unix milliseconds, inclusive'),
  before_ms: LenientCount.describe('End of the range in unix milliseconds, exclusive'),
  time_bucket_seconds: orNull(LenientInt).describe('Seconds of a bucket, aligned to UTC. Null: one bucket'),
  feedback_types: list('Beginnings of types; a trailing `*` is dropped'),
  tags: list('Any of these tags'),
  monitor_ids: list('Names of triggers; one that ends in `*` is a beginning'),
  scorer_ids: list('Names of runnables; one that ends in `*` is a beginning'),
  span_agent_names: list('Names of agents'),
  span_types: orDefault(listOf(z.enum(['agent_turn', 'agent_conversation']), 16), []).describe('Kinds of what the feedback is about'),
  rating_min: orNull(LenientFraction).describe('Least rating `_rating_`; feedback without one drops out'),
  rating_max: orNull(LenientFraction).describe('Greatest rating `_rating_`; feedback without one drops out'),
  group_by: orDefault(listOf(z.enum(['scorer_id', 'span_agent_name', 'span_agent_version', 'span_status_code']), 16), []).describe(
    'What distinguishes groups',
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
        time_bucket_start_ms: z.number().nullable().describe('Null where time is not divided'),
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
