import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf, tooManyEntries } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { lenientIntBetween, LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
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

/** Which turns of a thread. */
export const ThreadTurnsQuery = z.object({
  project_id: ProjectId,
  thread_id: z.string().describe('Id of the thread'),
  after: orNull(z.object({ started_at: Timestamp, id: Identifier })).describe(
    'Only turns after this one: `started_at` and `id` of the last one that was read. Null: from the first',
  ),
  limit: orDefault(lenientIntBetween(1, 200), 50).describe('Turns to return, 1 to 200: the first'),
})
export type ThreadTurnsQuery = z.output<typeof ThreadTurnsQuery>

const TurnMessage = z
  .object({
    role: z.string().describe('`user`, `assistant`, `tool` or as recorded; `input` or `output` for any other value'),
    name: z.string().optional().describe('Name of the participant'),
    parts: z.array(z.looseObject({ type: z.string() })).describe('Texts, calls of tools and their results, media, and other values'),
  })
  .meta({ id: 'TurnMessage' })

/** One turn of a conversation, with data from its trace. */
export const ThreadTurn = z
  .object({
    id: z.string().describe('Call that is the turn: the outermost one of the thread, or the root of a trace that names the thread'),
    trace_id: z.string(),
    op_name: z.string(),
    display_name: z.string().nullable(),
    started_at: TimestampText,
    ended_at: TimestampText.nullable().describe('Null while it runs'),
    status: z.enum(['success', 'error', 'running', 'descendant_error']),
    exception: z.string().nullable(),
    is_parent_missing: z.boolean().describe('It names a parent that is not in the trace: one that was not sent, or was deleted'),
    tokens: z
      .number()
      .nullable()
      .describe(
        'Input and output tokens of the trace, or of the calls at and below a turn that is not its root. Null for none, and where such a trace has more than 20,000 calls',
      ),
    cost: z.number().nullable().describe('Cost of these tokens, as in totals of traces. Null when nothing is known'),
    reported_uses: z.number().describe('Uses of models without a known price whose `cost` is the one that their calls carry'),
    unpriced_uses: z.number().describe('Uses of models without a known price, which `cost` leaves out'),
    priced_as: z
      .array(z.string())
      .describe('Names of the prices of models that have none under their own name: `gpt-4o` for `openai/gpt-4o`. Sorted'),
    is_behind: z.boolean().describe('Calls were written or have expired since these numbers were computed'),
    input: z
      .array(TurnMessage)
      .describe(
        'What is new in the input of the turn, or in that of its first model call where the turn has no input, or one without a text',
      ),
    output: z
      .array(TurnMessage)
      .describe(
        'The answer of the turn, or that of its last model call where the turn has no output, or only a printed object of a program',
      ),
    input_call_id: z.string().nullable().describe('Call that has this input'),
    output_call_id: z.string().nullable().describe('Call that has this output'),
  })
  .meta({ id: 'ThreadTurn' })
export type ThreadTurn = z.output<typeof ThreadTurn>

/** Conversations across traces. */
export const threads = defineResource('Conversations across traces', {
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
  streamTurns: {
    method: 'POST',
    path: '/threads/stream_turns',
    effect: 'read',
    summary: 'Read the turns of a thread',
    description:
      'Streams one turn per line, the first first, with the usage, cost, first input and last output of its trace, also where only a call below its root names the thread.',
    body: ThreadTurnsQuery,
    output: ThreadTurn,
    stream: 'jsonl',
  },
})
