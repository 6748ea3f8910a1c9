import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { LenientInt } from '../shapes/lenient.ts'
import { orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { QueryExpression } from '../shapes/query-expression.ts'
import { SortBy } from '../shapes/sort.ts'
import { Timestamp, TimestampText } from '../shapes/timestamp.ts'

/** Which threads, in which order. */
export const ThreadsQuery = z.object({
  project_id: ProjectId,
  filter: orNull(
    z.object({
      after_datetime: orNull(Timestamp).describe('Only turns that started after this'),
      before_datetime: orNull(Timestamp).describe('Only turns that started before this'),
      thread_ids: orNull(listOf(z.string(), 1000)).describe('Only these threads. Null or empty: all'),
      feedback: orNull(QueryExpression).describe(
        'Only threads with feedback on the whole conversation that this query of `/feedback/query` matches. Null: all',
      ),
      without_feedback: orNull(QueryExpression).describe(
        'Only threads without feedback on the whole conversation that this query of `/feedback/query` matches. Null: all',
      ),
    }),
  ).describe('Which turns count'),
  limit: orNull(LenientInt).describe('Maximum number of threads. Null: all'),
  offset: orNull(LenientInt).describe('Threads to skip first'),
  sort_by: orNull(listOf(SortBy, 32, tooManyEntries)).describe(
    'Order by `thread_id`, `turn_count`, `start_time`, `last_updated`, `p50_turn_duration_ms` or `p99_turn_duration_ms`. Null or empty: by `last_updated`, descending',
  ),
})
export type ThreadsQuery = z.output<typeof ThreadsQuery>

const duration = z.number().nullable()

/** A conversation: the turns of one thread together. */
export const Thread = z
  .object({
    thread_id: z.string(),
    turn_count: z.number().describe('Number of turns'),
    start_time: TimestampText.describe('Start of the first turn'),
    last_updated: TimestampText.describe('Latest end of a turn; while none has ended, the latest start'),
    first_turn_id: z.string().nullable().describe('Turn that started first'),
    last_turn_id: z.string().nullable().describe('Turn that ended last; while none has ended, the one that started last'),
    p50_turn_duration_ms: duration.describe('Median duration of ended turns, in milliseconds. Null while none has ended'),
    p99_turn_duration_ms: duration.describe('99th percentile of the duration of ended turns, in milliseconds. Null while none has ended'),
  })
  .meta({ id: 'Thread' })
export type Thread = z.output<typeof Thread>

/** Conversations across traces. */
export const threads = defineResource({
  streamQuery: {
    method: 'POST',
    path: '/threads/stream_query',
    effect: 'read',
    summary: 'Find threads',
    description: 'Streams one thread per line, in the requested order.',
    body: ThreadsQuery,
    output: Thread,
    stream: 'jsonl',
  },
})
