import type { Micros, TraceRow, UsageRow } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import { isModelCall, readUsage, type SettledTrace, settleTrace, statusOfCall, type TraceNode } from '@heddle/trace-model'
import { attributesOfWords, scopeOfSpan } from '../row/call-facts.ts'

/** A call as the store gives it to be settled. Times are microseconds. */
export interface StoredNode {
  id: string
  parent_id: string
  trace_id: string
  started_micros: number
  ended_micros: number | null
  failed: number
  status: string
  thread_id: string | null
  turn_id: string | null
  op_name: string
  wb_user_id: string
  kind_words: string
  span_scope: string
  /** The member `usage` of its summary as JSON text; `''` where it reports none. */
  usage_text: string
  expire_micros: number
}

/** The rows of one trace, but for their versions. */
export interface SettledRows {
  trace: Omit<TraceRow, 'version' | 'is_deleted'>
  usage: Omit<UsageRow, 'version' | 'is_deleted'>[]
}

/** Settles a trace and writes it as rows. Undefined for no calls. */
export function settledRows(project_id: string, nodes: readonly StoredNode[]): SettledRows | undefined {
  const trace = settleTrace(nodes.map(toTraceNode))
  const [first] = nodes
  if (trace === undefined || first === undefined) return undefined
  const { trace_id } = first
  const expire_at = latestExpiry(nodes)
  const thread_id = trace.threadId ?? ''
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const usage = trace.rows.map(({ callId, model, counts }) => {
    const call = byId.get(callId)!
    return {
      project_id,
      started_at: call.started_micros,
      call_id: callId,
      model,
      trace_id,
      thread_id,
      op_name: call.op_name,
      wb_user_id: call.wb_user_id,
      input_tokens: counts.input,
      output_tokens: counts.output,
      cache_read_tokens: counts.cacheRead,
      cache_write_tokens: counts.cacheWrite,
      reasoning_tokens: counts.reasoning,
      total_tokens: counts.total,
      expire_at: call.expire_micros,
    }
  })
  return { trace: { ...toTraceRow(trace, nodes), project_id, trace_id, thread_id, expire_at }, usage }
}

type OfTrace = Omit<SettledRows['trace'], 'project_id' | 'trace_id' | 'thread_id' | 'expire_at'>

function toTraceRow(trace: SettledTrace, nodes: readonly StoredNode[]): OfTrace {
  const marks = [...trace.marks]
  const of = (read: (counts: (typeof trace.usage)[number]['counts']) => number) => trace.usage.map(({ counts }) => read(counts))
  return {
    started_at: trace.startedAt,
    last_start_at: nodes.reduce((last, { started_micros }) => Math.max(last, started_micros), trace.startedAt),
    ended_at: trace.endedAt,
    root_id: trace.rootId,
    is_parent_missing: Number(trace.isParentMissing),
    is_turn: Number(isTurn(trace, nodes)),
    status: trace.status,
    calls: trace.calls,
    errors: trace.errors,
    orphans: nodes.flatMap(({ id, parent_id }) => (parent_id !== '' && trace.marks.get(id)?.isRoot === true ? [id] : [])),
    failed_above: marks.flatMap(([id, { status }]) => (status === 'descendant_error' ? [id] : [])),
    models: trace.usage.map(({ model }) => model),
    uses: trace.usage.map(({ model }) => trace.rows.filter((row) => row.model === model).length),
    input_tokens: of(({ input }) => input),
    output_tokens: of(({ output }) => output),
    cache_read_tokens: of(({ cacheRead }) => cacheRead),
    cache_write_tokens: of(({ cacheWrite }) => cacheWrite),
    total_tokens: of(({ total }) => total),
    notes: trace.notes.length === 0 ? '' : JSON.stringify(trace.notes),
  }
}

/** Tracing clients say themselves which calls are turns; of spans, the trace is one that names a thread. */
function isTurn({ threadId, rootId }: SettledTrace, nodes: readonly StoredNode[]): boolean {
  const isOfSpans = nodes.some(({ id, span_scope }) => id === rootId && span_scope !== '')
  return threadId !== null && isOfSpans && nodes.every(({ turn_id, id }) => turn_id !== id)
}

function toTraceNode(node: StoredNode): TraceNode {
  const usage = node.usage_text === '' ? [] : readUsage({ usage: parseJson(node.usage_text) })
  const own = statusOfCall({ exception: node.failed === 1 ? 'failed' : null, ended_at: node.ended_micros })
  return {
    id: node.id,
    parentId: node.parent_id || null,
    startedAt: node.started_micros,
    endedAt: node.ended_micros,
    status: own === 'success' && node.status === 'descendant_error' ? 'descendant_error' : own,
    isModelCall: isModelCall(attributesOfWords(node.kind_words), usage.length > 0),
    scope: scopeOfSpan(node.span_scope),
    wire: node.span_scope === '' ? 'client' : 'otlp',
    threadId: node.thread_id || null,
    usage,
  }
}

/** 0 = never. */
function latestExpiry(nodes: readonly StoredNode[]): Micros {
  return nodes.some(({ expire_micros }) => expire_micros === 0)
    ? 0
    : nodes.reduce((last, { expire_micros }) => Math.max(last, expire_micros), 0)
}
