import { invariant, type Micros, type TraceRow, type UsageRow } from '@heddle/datastore'
import { type CallStatus, readUsage, type SettledTrace, settleTrace, type TraceNode } from '@heddle/trace-model'
import { isModelCallOfWords, scopeOfSpan, toUsedIn } from '../row/call-facts.ts'

/** A call as the store gives it to be settled. Times are microseconds. */
export interface StoredNode {
  id: string
  parent_id: string
  started_micros: number
  ended_micros: number | null
  /** Its own, with errors that its client counted below it. */
  status: CallStatus
  thread_id: string | null
  turn_id: string | null
  op_name: string
  wb_user_id: string
  kind_words: string
  span_scope: string
  response_id: string
  service_tier: string
  /** The member `usage` of its summary as JSON text; `''` where it reports none. */
  usage_text: string
  expire_micros: number
}

/** The members of a `StoredNode`, without their names: a trace of many calls is read faster. */
export type NodeTuple = [
  id: string,
  parent_id: string,
  started_micros: number,
  ended_micros: number | null,
  status: CallStatus,
  thread_id: string | null,
  turn_id: string | null,
  op_name: string,
  wb_user_id: string,
  kind_words: string,
  span_scope: string,
  service_tier: string,
  response_id: string,
  usage_text: string,
  expire_micros: number,
]

export function toStoredNode([
  id,
  parent_id,
  started_micros,
  ended_micros,
  status,
  thread_id,
  turn_id,
  op_name,
  wb_user_id,
  kind_words,
  span_scope,
  service_tier,
  response_id,
  usage_text,
  expire_micros,
]: NodeTuple): StoredNode {
  return {
    id,
    parent_id,
    started_micros,
    ended_micros,
    status,
    thread_id,
    turn_id,
    op_name,
    wb_user_id,
    kind_words,
    span_scope,
    service_tier,
    response_id,
    usage_text,
    expire_micros,
  }
}

/** The rows of one trace, but for their versions. */
export interface SettledRows {
  trace: Omit<TraceRow, 'version' | 'is_deleted' | 'is_behind'>
  usage: Omit<UsageRow, 'version' | 'is_deleted'>[]
}

/** Settles a trace and writes it as rows. Undefined for no calls. */
export function settledRows(
  { project_id, trace_id }: Pick<TraceRow, 'project_id' | 'trace_id'>,
  nodes: readonly StoredNode[],
): SettledRows | undefined {
  const trace = settleTrace(nodes.map(toTraceNode))
  if (trace === undefined) return undefined
  const expire_at = latestExpiry(nodes)
  const thread_id = trace.threadId ?? ''
  const byId = new Map(nodes.map((node) => [node.id, node]))
  invariant(byId.has(trace.rootId), 'traces.root-is-a-stored-call', () => `call ${trace.rootId} of trace ${trace_id} of ${project_id}`)
  const usage = trace.rows.map(({ callId, model, counts, serviceTier = '', requestTokens = 0 }) => {
    const call = byId.get(callId)
    invariant(call !== undefined, 'traces.usage-is-of-a-stored-call', () => `call ${callId} of trace ${trace_id} of ${project_id}`)
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
      reported_costs: counts.reportedCosts,
      reported_nanos: counts.reportedNanos,
      cache_read_audio_tokens: counts.cacheReadAudio,
      cache_read_image_tokens: counts.cacheReadImage,
      cache_write_1h_tokens: counts.cacheWrite1h,
      input_audio_tokens: counts.inputAudio,
      input_image_tokens: counts.inputImage,
      output_audio_tokens: counts.outputAudio,
      output_image_tokens: counts.outputImage,
      request_tokens: requestTokens,
      service_tier: serviceTier,
      expire_at: call.expire_micros,
    }
  })
  return {
    trace: { ...toTraceRow(trace, nodes), project_id, trace_id, thread_id, expire_at, next_expiry_at: nextExpiry(nodes, expire_at) },
    usage,
  }
}

type OfTrace = Omit<SettledRows['trace'], 'project_id' | 'trace_id' | 'thread_id' | 'expire_at' | 'next_expiry_at'>

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
    reported_costs: of(({ reportedCosts }) => reportedCosts),
    reported_nanos: of(({ reportedNanos }) => reportedNanos),
    notes: trace.notes.length === 0 ? '' : JSON.stringify(trace.notes),
  }
}

/** Tracing clients mark calls that are turns; a trace of spans is a turn if it names a thread. */
function isTurn({ threadId, rootId }: SettledTrace, nodes: readonly StoredNode[]): boolean {
  const isOfSpans = nodes.some(({ id, span_scope }) => id === rootId && span_scope !== '')
  return threadId !== null && isOfSpans && nodes.every(({ turn_id, id }) => turn_id !== id)
}

/** A call as its trace is settled from it. */
export function toTraceNode(node: StoredNode): TraceNode {
  // Counts are numbers, which the native parser reads as `readUsage` does the texts of numbers.
  const usage = node.usage_text === '' ? [] : readUsage({ usage: JSON.parse(node.usage_text) as unknown }, toUsedIn(node))
  return {
    id: node.id,
    parentId: node.parent_id || null,
    startedAt: node.started_micros,
    endedAt: node.ended_micros,
    status: node.status,
    isModelCall: isModelCallOfWords(node.kind_words, usage.length > 0),
    scope: scopeOfSpan(node.span_scope),
    responseId: node.response_id || null,
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

/** Expiry of the first call to expire before the others; 0 for none. */
function nextExpiry(nodes: readonly StoredNode[], last: Micros): Micros {
  let next = Infinity
  for (const { expire_micros } of nodes) if (expire_micros > 0 && expire_micros < next) next = expire_micros
  return next === Infinity || next === last ? 0 : next
}
