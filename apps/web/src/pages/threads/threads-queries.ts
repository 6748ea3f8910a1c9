import { formatConversationRef, parseConversationRef } from '@heddle/core-api'
import type { Call, Feedback, Thread, ThreadTurn } from '@heddle/core-api/types'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { isOneOf } from '@heddle/trace-model/query'
import { client, exactClient } from '../../lib/server/client.ts'
import { charactersForCell } from '../../lib/texts/to-text.ts'
import { rangeMs } from '../../lib/time/time-range.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { readTextsBelow } from '../../features/calls/texts-below/read-texts-below.ts'
import { toFeedbackMarks } from '../../features/feedback/feedback-marks.ts'
import { toFeedbackFilter } from './feedback-filter.ts'
import type { ThreadsSearch } from './threads-search.ts'
import { silentTurns, textsOfThread, type ThreadTexts } from './thread-texts.ts'
import { toTurn } from './to-turn.ts'

const threadsOfPage = 50
const turnsOfPage = 50

/** Threads in pages. The operation pages by a number of rows to skip, so a thread that is written to meanwhile may be listed twice. */
export function threadsQuery(project_id: string, { range, order = 'last_updated', feedback, thread }: ThreadsSearch) {
  return infiniteQueryOptions({
    queryKey: ['threads', project_id, range, order, feedback, thread],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset, signal }) => {
      const threads: Thread[] = []
      const filter = {
        ...(range && { after_datetime: new Date(Date.now() - rangeMs[range]).toISOString() }),
        ...(feedback && toFeedbackFilter(feedback)),
        ...(thread !== undefined && { thread_ids: [thread] }),
      }
      const page = { project_id, filter, sort_by: [{ field: order, direction: 'desc' as const }], limit: threadsOfPage, offset }
      for await (const found of client.threads.streamQuery(page, { signal })) threads.push(found)
      return threads
    },
    getNextPageParam: (last, pages) => (last.length < threadsOfPage ? undefined : pages.length * threadsOfPage),
  })
}

/** Texts of a page's threads in the list, by their ids: one request for all, and the calls below those turns that have no texts themselves. */
export const threadTextsQuery = (project_id: string, threads: readonly Thread[]) =>
  queryOptions({
    queryKey: [
      'thread-texts',
      project_id,
      threads.map(({ first_turn_id, last_turn_id, last_updated }) => [first_turn_id, last_turn_id, last_updated]),
    ],
    enabled: threads.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, ThreadTexts>> => {
      const call_ids = [...new Set(threads.flatMap(({ first_turn_id, last_turn_id }) => [first_turn_id ?? [], last_turn_id ?? []].flat()))]
      const columns = ['id', 'inputs', 'output', 'attributes', 'exception']
      const request = { project_id, filter: { call_ids }, columns, max_text_length: charactersForCell }
      const calls = new Map<string, Call>()
      for await (const call of client.calls.streamQuery(request, { signal })) calls.set(call.id, call)
      const rows = silentTurns(threads, calls).map(({ id, trace_id }) => ({ id, traceId: trace_id }))
      const below = rows.length === 0 ? new Map<string, never>() : await readTextsBelow(project_id, { rows, areTraces: false }, signal)
      return new Map(threads.map((thread) => [thread.thread_id, textsOfThread(thread, calls, below)]))
    },
    staleTime: 60_000,
    structuralSharing: false,
  })

/** Reference to a whole conversation, which feedback on it is about. */
export const conversationRef = ({ entity, project }: ProjectName, thread: string) => formatConversationRef({ entity, project, id: thread })

/** Feedback on conversations that is read for a page of them, the newest. */
const maxFeedback = 1_000

/** Begins the keys of the marks of any conversations. */
export const threadMarksKey = (project_id: string) => ['thread-marks', project_id] as const

/** The marks of conversations by their ids; those without feedback are absent. */
export function threadMarksQuery(project: ProjectName, threads: readonly string[]) {
  return queryOptions({
    queryKey: [...threadMarksKey(project.id), threads],
    enabled: threads.length > 0,
    queryFn: async ({ signal }) => {
      const refs = threads.map((thread) => conversationRef(project, thread))
      const query = { $expr: isOneOf('weave_ref', refs) }
      const fields = ['id', 'weave_ref', 'feedback_type', 'payload', 'created_at']
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const page = { project_id: project.id, query, fields, sort_by, limit: maxFeedback }
      const { result } = await client.feedback.query(page, { signal })
      const byThread = new Map<string, Feedback[]>()
      for (const feedback of result) {
        const thread = parseConversationRef(String(feedback.weave_ref))?.id ?? ''
        byThread.set(thread, [...(byThread.get(thread) ?? []), feedback])
      }
      return new Map([...byThread].map(([thread, rows]) => [thread, toFeedbackMarks(rows)]))
    },
    structuralSharing: false,
  })
}

/** The turns of a thread, oldest first, each with data from its trace and its feedback. */
export function turnsQuery(project_id: string, thread_id: string) {
  return infiniteQueryOptions({
    queryKey: ['turns', project_id, thread_id],
    initialPageParam: null as { started_at: string; id: string } | null,
    queryFn: async ({ pageParam: after, signal }) => {
      const turns: ThreadTurn[] = []
      const page = { project_id, thread_id, after, limit: turnsOfPage }
      for await (const turn of exactClient.threads.streamTurns(page, { signal })) turns.push(turn)
      const calls = await readFeedbackOf(project_id, turns, signal)
      return turns.map((turn) => toTurn(turn, calls.get(turn.id)))
    },
    getNextPageParam: (turns) => {
      const last = turns.length < turnsOfPage ? undefined : turns.at(-1)
      return last && { started_at: last.startedAt, id: last.id }
    },
    refetchInterval: ({ state }) => (state.data?.pages.some((turns) => turns.some(({ status }) => status === 'running')) ? 3_000 : false),
  })
}

/** The calls that are turns with their names and feedback, by id. */
async function readFeedbackOf(project_id: string, turns: readonly ThreadTurn[], signal: AbortSignal): Promise<Map<string, Call>> {
  const calls = new Map<string, Call>()
  if (turns.length === 0) return calls
  const page = { project_id, filter: { call_ids: turns.map(({ id }) => id) }, columns: ['display_name', 'attributes', 'summary'] }
  for await (const call of client.calls.streamQuery({ ...page, include_feedback: true }, { signal })) calls.set(call.id, call)
  return calls
}
