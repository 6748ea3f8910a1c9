import { type CallKind, parseTimestamp } from '@heddle/core-api'
import type { TraceCall as ReadCall } from '@heddle/core-api/types'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { CallStatus } from '@heddle/trace-model'
import type { TraceNode, TreeCall } from '@heddle/trace-model'

/** The most calls of a trace that are shown, the earliest first. The page shows when there are more. */
export const maxTraceCalls = 30_000

/** A call as the tree keeps it. Times are milliseconds since 1970. */
export interface TraceCall extends TreeCall, Pick<TraceNode, 'isModelCall' | 'scope' | 'responseId' | 'wire' | 'threadId'> {
  name: string
  /** From the call's own attributes; `other` also if only its usage may determine more. */
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
  for await (const { parent_id: parentId, is_model_call: isModelCall, thread_id: threadId, ...call } of stream) {
    const { id, name, kind, status, wire, scope, response_id: responseId, started_at, ended_at } = call
    const times = { startedAt: millisOf(started_at), endedAt: ended_at === null ? null : millisOf(ended_at) }
    calls.push({ id, parentId, name, kind, status, isModelCall, scope, responseId, wire, threadId, ...times })
  }
  return { calls: calls.slice(0, maxTraceCalls), hasMore: calls.length > maxTraceCalls }
}

/** To the microsecond: whether a call lies within another's time is derived from it. */
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
