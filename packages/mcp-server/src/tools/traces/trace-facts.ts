import { type CallTotal, noTotal } from '@heddle/trace-model'
import type { ToolContext } from '../tool-context.ts'
import { readPlacedCalls } from './trace-tree.ts'
import type { TracedCall } from './traced-call.ts'

/** Facts about a found call that need the other calls of its trace. */
export interface TraceFacts extends CallTotal {
  status: string
  /** Thread of its trace. */
  threadId: string | null
  /** Whether it names a parent that is not in the trace. */
  isParentMissing: boolean
}

/** Totals of whole traces, as the server computes them, by the id of the root. */
export async function readFactsOfTraces(
  roots: readonly TracedCall[],
  { tracing, project, signal }: ToolContext,
): Promise<Map<string, TraceFacts>> {
  const trace_ids = [...new Set(roots.map(({ trace_id }) => trace_id))]
  if (trace_ids.length === 0) return new Map()
  const { traces } = await tracing.calls.traceTotals(
    { project_id: project().id, start: null, trace_ids, limit: trace_ids.length },
    { signal },
  )
  const byTrace = new Map(traces.map((trace) => [trace.trace_id, trace]))
  return new Map(
    roots.flatMap(({ id, trace_id, parent_id }) => {
      const total = byTrace.get(trace_id)
      if (total === undefined) return []
      // Further roots that name a parent have none in the trace.
      const isParentMissing = total.root_call_id === id ? total.is_parent_missing : Boolean(parent_id)
      const source = { pricedAs: total.priced_as, reportedUses: total.reported_uses }
      return [[id, { ...total, ...source, isParentMissing, threadId: total.thread_id }] as const]
    }),
  )
}

/** Traces read concurrently. */
const concurrentTraces = 8

/** Totals of calls including all calls below them, by id. Reads the traces whole. */
export async function readFactsOfCalls(calls: readonly TracedCall[], context: ToolContext): Promise<Map<string, TraceFacts>> {
  const wanted = new Set(calls.map(({ id }) => id))
  const traceIds = [...new Set(calls.map(({ trace_id }) => trace_id))]
  const facts = new Map<string, TraceFacts>()
  for (let at = 0; at < traceIds.length; at += concurrentTraces) {
    const read = traceIds.slice(at, at + concurrentTraces).map((id) => readPlacedCalls(id, context))
    for (const { call, status, total, isParentMissing, threadId } of (await Promise.all(read)).flat())
      if (wanted.has(call.id)) facts.set(call.id, { ...(total ?? noTotal), status, isParentMissing, threadId })
  }
  return facts
}
