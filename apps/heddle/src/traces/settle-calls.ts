import { parseTimestamp } from '@heddle/core-api'
import {
  buildTree,
  type SettledTrace,
  settleTrace,
  statusOfCall,
  readUsage,
  sumBelow,
  type TraceNode,
  type TreeNode,
} from '@heddle/trace-model'
import { startOf, type TracedCall } from './traced-call.ts'

/** A call as a node of its trace. */
export interface SettledCall extends TraceNode {
  call: TracedCall
}

/** The calls of one trace in their places, with what counts of their usage. */
export interface SettledCalls {
  roots: TreeNode<SettledCall>[]
  /** Undefined for no calls. */
  trace: SettledTrace | undefined
  /** Tokens that count of each call and those below it; calls without any are not in it. */
  tokens: ReadonlyMap<string, number>
}

/** Settles the calls of one trace by the rule of the service. */
export function settleCalls(calls: readonly TracedCall[]): SettledCalls {
  const nodes = calls.map(toNode)
  const trace = settleTrace(nodes)
  const roots = buildTree(nodes)
  const countOf = (id: string) => trace?.marks.get(id)?.counted.reduce((sum, { counts }) => sum + counts.total, 0) ?? 0
  const tokens = sumBelow(
    roots,
    ({ id }) => countOf(id) || undefined,
    (one, other) => one + other,
  )
  return { roots, trace, tokens }
}

/** A call of which it was not read how it was sent counts as one of a tracing client. */
function toNode(call: TracedCall): SettledCall {
  return {
    call,
    id: call.id,
    parentId: call.parent_id ?? null,
    startedAt: startOf(call),
    endedAt: call.ended_at ? (parseTimestamp(call.ended_at) ?? 0) : null,
    status: statusOfCall({ exception: call.exception ?? null, ended_at: call.ended_at ?? null }),
    isModelCall: call.is_model_call ?? false,
    scope: call.scope ?? null,
    wire: call.wire ?? 'client',
    threadId: call.thread_id ?? null,
    usage: readUsage(call.summary),
  }
}
