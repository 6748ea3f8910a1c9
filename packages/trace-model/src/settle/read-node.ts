import { parseTimestamp } from '@heddle/core-api'
import type { TraceCall } from '@heddle/core-api/types'
import { statusOfCall } from '../calls/call-status.ts'
import { readUsage } from '../usage/read-usage.ts'
import type { TraceNode } from './trace-node.ts'

/** Facts about the kind of a call and how it was reported that `calls.streamTrace` returns and a call itself lacks. */
export type ReportFacts = Pick<TraceCall, 'kind' | 'is_model_call' | 'wire' | 'scope' | 'response_id'>

export function reportFactsOf({ kind, is_model_call, wire, scope, response_id }: TraceCall): ReportFacts {
  return { kind, is_model_call, wire, scope, response_id }
}

/** A call as the API returns it, with how it was reported where that was read. Absent members are null. */
export interface RecordedNode extends Partial<ReportFacts> {
  id: string
  parent_id?: string | null
  thread_id?: string | null
  started_at: string
  ended_at?: string | null
  exception?: string | null
  summary?: unknown
}

/** A recorded call as a node of its trace. If it was not read how it was reported, it counts as a call of a tracing client. */
export function readNode(call: RecordedNode): TraceNode {
  const { id, parent_id = null, thread_id = null, ended_at = null, exception = null, scope = null } = call
  return {
    id,
    parentId: parent_id,
    startedAt: parseTimestamp(call.started_at) ?? 0,
    endedAt: ended_at === null ? null : (parseTimestamp(ended_at) ?? 0),
    status: statusOfCall({ exception, ended_at, summary: call.summary }),
    isModelCall: call.is_model_call ?? false,
    scope,
    responseId: call.response_id ?? null,
    wire: call.wire ?? 'client',
    threadId: thread_id,
    usage: readUsage(call.summary),
  }
}
