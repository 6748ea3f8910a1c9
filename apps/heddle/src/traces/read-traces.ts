import type { TraceTotal } from '@heddle/core-api/types'
import { type ReportFacts, reportFactsOf } from '@heddle/trace-model'
import type { TracingClient } from '../connect.ts'
import { summarizeTraces, type TraceSummary } from './list-traces.ts'
import type { AddSpanNames } from './span-names.ts'
import type { TracedCall } from './traced-call.ts'

/** Calls read of one trace. */
export const maxCallsOfTrace = 10_000
/** Values in one list of a filter. */
const maxListed = 1_000

const columns = ['id', 'trace_id', 'parent_id', 'thread_id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'summary']

export interface TraceSource {
  client: TracingClient
  project: string
  signal?: AbortSignal
}

export interface NamedTraceSource extends TraceSource {
  addSpanNames: AddSpanNames
}

/** Fields by which traces are listed. */
const orders = { newest: 'started_at', slowest: 'summary.weave.latency_ms' } as const
export type TraceOrder = keyof typeof orders

/** The newest or slowest traces, those first, at most `limit` of them and never more than 1000. */
export async function readTraces(
  { client, project, signal, addSpanNames }: NamedTraceSource,
  limit: number,
  order: TraceOrder = 'newest',
): Promise<TraceSummary[]> {
  const roots = await collect(
    client.calls.streamQuery(
      {
        project_id: project,
        filter: { trace_roots_only: true },
        sort_by: [{ field: orders[order], direction: 'desc' }],
        limit: Math.min(limit, maxListed),
        columns,
      },
      signal ? { signal } : {},
    ),
  )
  if (roots.length === 0) return []
  const traceIds = [...new Set(roots.map((root) => root.trace_id))]
  const request = { project_id: project, start: null, trace_ids: traceIds, limit: maxListed }
  const { traces } = await client.calls.traceTotals(request, signal ? { signal } : {})
  const others = await readOwnRoots(roots, traces, { client, project, ...(signal && { signal }) })
  return summarizeTraces({ roots: await addSpanNames([...roots, ...others]), totals: traces })
}

/** The roots of traces of which only others were read: a trace may have several. */
function readOwnRoots(roots: readonly TracedCall[], traces: readonly TraceTotal[], { client, project, signal }: TraceSource) {
  const known = new Set(roots.map(({ id }) => id))
  const call_ids = traces.flatMap(({ root_call_id: id }) => (id === null || known.has(id) ? [] : [id]))
  if (call_ids.length === 0) return []
  return collect(client.calls.streamQuery({ project_id: project, filter: { call_ids }, columns }, signal ? { signal } : {}))
}

/** The calls of a trace with how they were reported, without names of spans; empty when there is none of this id. */
export async function readTrace({ client, project, signal }: TraceSource, traceId: string): Promise<TracedCall[]> {
  const options = signal ? { signal } : {}
  const query = { project_id: project, filter: { trace_ids: [traceId] }, limit: maxCallsOfTrace, columns, include_costs: true }
  const calls = await collect(client.calls.streamQuery(query, options))
  const [first] = calls
  if (first === undefined) return []
  const facts = new Map<string, ReportFacts>()
  const trace = client.calls.streamTrace({ project_id: project, call_id: first.id, limit: maxCallsOfTrace }, options)
  for await (const call of trace) facts.set(call.id, reportFactsOf(call))
  return calls.map((call) => ({ ...call, ...facts.get(call.id) }))
}

async function collect(source: AsyncIterable<TracedCall>): Promise<TracedCall[]> {
  const calls: TracedCall[] = []
  for await (const call of source) calls.push(call)
  return calls
}
