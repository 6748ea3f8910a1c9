import { type CallTotal, listNodes, type ReportFacts, reportFactsOf, settleCalls } from '@heddle/trace-model'
import type { ToolContext } from '../tool-context.ts'
import { statusOf, traceColumns, type TracedCall } from './traced-call.ts'

/** A call with its depth, and data from its trace. */
export interface PlacedCall {
  call: TracedCall
  depth: number
  /** Kind of the call; undefined if it was not read. */
  kind: ReportFacts['kind'] | undefined
  /** It names a parent that is not in the trace. */
  isParentMissing: boolean
  /** Knows failures below it. */
  status: string
  /** Thread of the trace. */
  threadId: string | null
  /** What counts at and below it; undefined for nothing. */
  total: CallTotal | undefined
}

/** Calls read of one trace. */
export const maxCallsOfTrace = 10_000

/** The calls of a trace with the totals of its usage, each followed by those below it, ordered by start; empty if no trace has this id. */
export async function readPlacedCalls(trace_id: string, { tracing, project, signal }: ToolContext): Promise<PlacedCall[]> {
  const project_id = project().id
  const calls: TracedCall[] = []
  const query = { project_id, filter: { trace_ids: [trace_id] }, columns: traceColumns, limit: maxCallsOfTrace, include_costs: true }
  for await (const call of tracing.calls.streamQuery(query, { signal })) calls.push(call)
  const [first] = calls
  if (first === undefined) return []
  const facts = new Map<string, ReportFacts>()
  const trace = tracing.calls.streamTrace({ project_id, call_id: first.id, limit: maxCallsOfTrace }, { signal })
  for await (const call of trace) facts.set(call.id, reportFactsOf(call))
  return placeCalls(calls.map((call) => ({ ...call, ...facts.get(call.id) })))
}

/** A call whose parent is not there is a root, and so is the first of a cycle. */
function placeCalls(calls: readonly (TracedCall & Partial<ReportFacts>)[]): PlacedCall[] {
  const { roots, trace, totals } = settleCalls(calls)
  return listNodes(roots).map(({ call: { call, id }, depth }) => ({
    call,
    depth,
    kind: call.kind,
    isParentMissing: trace?.marks.get(id)?.isParentMissing ?? false,
    status: trace?.marks.get(id)?.status ?? statusOf(call),
    threadId: trace?.threadId ?? null,
    total: totals.get(id),
  }))
}
