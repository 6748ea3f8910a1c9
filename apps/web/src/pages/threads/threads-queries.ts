import { type Call, formatConversationRef, parseConversationRef, type Feedback, type QueryExpression, type Thread } from '@heddle/core-api'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { rangeMs } from '../../app/time-range.ts'
import type { ProjectName } from '../../app/use-project.ts'
import { afterPosition, type Position } from '../calls/after-position.ts'
import { toFeedbackMarks } from '../feedback/feedback-marks.ts'
import { toFeedbackFilter } from './feedback-filter.ts'
import type { ThreadsSearch } from './threads-search.ts'
import { toTurn, type Turn } from './to-turn.ts'

const threadsOfPage = 100
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

/** Reference to a whole conversation, which feedback on it is about. */
export const conversationRef = ({ entity, project }: ProjectName, thread: string) => formatConversationRef({ entity, project, id: thread })

/** Feedback on conversations that is read for a page of them, the newest. */
const maxFeedback = 1_000

/** The marks of conversations by their ids; those without feedback are absent. */
export function threadMarksQuery(project: ProjectName, threads: readonly string[]) {
  return queryOptions({
    queryKey: ['thread-marks', project.id, threads],
    enabled: threads.length > 0,
    queryFn: async ({ signal }) => {
      const refs = threads.map((thread) => ({ $literal: conversationRef(project, thread) }))
      const query = { $expr: { $in: [{ $getField: 'weave_ref' }, refs] } }
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

const isTurn = { $expr: { $eq: [{ $getField: 'turn_id' }, { $getField: 'id' }] } } as unknown as QueryExpression

/** The turns of a thread, the first first, each with its cost and its feedback. */
export function turnsQuery(project_id: string, thread: string) {
  return infiniteQueryOptions({
    queryKey: ['turns', project_id, thread],
    initialPageParam: undefined as Position | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const turns: Turn[] = []
      const query = afterPosition(isTurn, pageParam, 'oldest')
      const sort_by = [
        { field: 'started_at', direction: 'asc' as const },
        { field: 'id', direction: 'asc' as const },
      ]
      const page = { project_id, filter: { thread_ids: [thread] }, ...(query && { query }), sort_by, limit: turnsOfPage }
      const calls: AsyncIterable<Call> = client.calls.streamQuery({ ...page, include_costs: true, include_feedback: true }, { signal })
      for await (const call of calls) turns.push(toTurn(call))
      return turns
    },
    getNextPageParam: (turns): Position | undefined => {
      const last = turns.length < turnsOfPage ? undefined : turns.at(-1)
      return last && { startedAt: last.startedAt, id: last.id }
    },
    refetchInterval: ({ state }) => (state.data?.pages.some((turns) => turns.some(({ status }) => status === 'running')) ? 3_000 : false),
  })
}
