import { type CallKind, parseTimestamp, type TraceCall as ReadCall } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import type { CallStatus } from '@heddle/trace-model'
import type { TraceNode, TreeCall } from '@heddle/trace-model'
import { scoreMark } from './score-marks.ts'

/** The most calls of a trace that are shown, the earliest first. The page says when there are more. */
export const maxTraceCalls = 30_000

/** A call as the tree keeps it. Times are milliseconds since 1970. */
export interface TraceCall extends TreeCall, Pick<TraceNode, 'isModelCall' | 'scope' | 'wire' | 'threadId'> {
  name: string
  /** As the call itself says it; `other` also where only what it used may say more. */
  kind: CallKind
  status: CallStatus
}

/** The calls of the trace of a call. */
export function traceQuery(project_id: string, call_id: string) {
  return queryOptions({
    queryKey: ['trace', project_id, call_id],
    queryFn: async ({ signal }) => {
      return readTree(client.calls.streamTrace({ project_id, call_id, limit: maxTraceCalls + 1 }, { signal }))
    },
    ...ofTree,
  })
}

interface TreeCalls {
  calls: TraceCall[]
  hasMore: boolean
}

/** The calls of a trace as they are streamed; one more than are shown where there are more. */
export async function readTree(stream: AsyncIterable<ReadCall>): Promise<TreeCalls> {
  const calls: TraceCall[] = []
  for await (const { parent_id: parentId, is_model_call: isModelCall, thread_id: threadId, started_at, ended_at, ...call } of stream) {
    const { id, name, kind, status, wire, scope } = call
    const times = { startedAt: millisOf(started_at), endedAt: ended_at === null ? null : millisOf(ended_at) }
    calls.push({ id, parentId, name, kind, status, isModelCall, scope, wire, threadId, ...times })
  }
  return { calls: calls.slice(0, maxTraceCalls), hasMore: calls.length > maxTraceCalls }
}

/** To the microsecond: which call lies within another's time is told from it. */
const millisOf = (time: string) => (parseTimestamp(time) ?? 0) / 1_000

/** How the calls of a trace are kept, and read again while some run. */
export const ofTree = {
  // Thousands of calls would be compared with those of before, for nothing.
  structuralSharing: false,
  refetchInterval: ({ state }: { state: { data?: TreeCalls | undefined } }) =>
    state.data?.calls.some(({ status }) => status === 'running') ? 5_000 : (false as const),
}

/** How many calls a trace has, where not all are shown. */
export function traceCountQuery(project_id: string, traceId: string) {
  return queryOptions({
    queryKey: ['trace-count', project_id, traceId],
    queryFn: async ({ signal }) => {
      const { count } = await client.calls.queryStats({ project_id, filter: { trace_ids: [traceId] } }, { signal })
      return count
    },
  })
}

/** Calls of a trace whose scores are marked in the tree, and feedback that is read for it. The page says when there are more calls. */
export const maxMarkedCalls = 1_000
const maxMarks = 1_000

/** The marks of the calls of a trace by their ids, the newest first. */
export function marksQuery(project_id: string, traceId: string | undefined, calls: readonly TraceCall[]) {
  return queryOptions({
    queryKey: ['trace-marks', project_id, traceId, calls.length],
    enabled: calls.length > 0,
    queryFn: async ({ signal }) => {
      const refs = calls.slice(0, maxMarkedCalls).map(({ id }) => ({ $literal: `weave:///${project_id}/call/${id}` }))
      const query = { $expr: { $in: [{ $getField: 'weave_ref' }, refs] } }
      const fields = ['id', 'weave_ref', 'feedback_type', 'payload', 'created_at']
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { result } = await client.feedback.query({ project_id, query, fields, sort_by, limit: maxMarks }, { signal })
      const marks = new Map<string, string[]>()
      for (const feedback of result) {
        const mark = scoreMark(feedback)
        const call = String(feedback.weave_ref).split('/').at(-1)
        if (mark !== undefined && call !== undefined) marks.set(call, [...(marks.get(call) ?? []), mark])
      }
      return marks
    },
    structuralSharing: false,
  })
}
