import { type TraceTotal, tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { Detail, inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { conditionsOf, looksBelowRoots, traceFilter } from './trace-filter.ts'
import { withSpanNames } from './span-names.ts'
import { costOf, latencyOf, nameOf, shortPayload, statusOf, tokensOf, traceColumns, type TracedCall } from './traced-call.ts'

const Input = z.object({
  ...inProject,
  ...traceFilter,
  sort: z.enum(['newest', 'oldest', 'slowest']).default('newest'),
  detail: Detail,
  ...inPages(20, 100),
})

const Line = z.object({
  call_id: z.string(),
  trace_id: z.string(),
  name: z.string(),
  status: z.string(),
  started_at: z.string(),
  latency_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  error: z.string().optional(),
  input: z.string(),
  output: z.string(),
})

const Output = z.object({ traces: z.array(Line) })

/** Traces by what people ask for. */
export const tracesSearch = defineTool({
  name: 'traces_search',
  title: 'Search traces',
  description:
    'Finds traces, with the start of input and output; by op_name, model, trajectory_id or text it finds calls inside of traces. For totals take trace_stats. Example: {"status": "error", "since": "2026-11-16"}',
  toolset: 'traces',
  operation: tracing.calls.streamQuery,
  input: Input,
  output: Output,
  run: search,
})

const orders = {
  newest: [{ field: 'started_at', direction: 'desc' as const }],
  oldest: [{ field: 'started_at', direction: 'asc' as const }],
  slowest: [{ field: 'summary.weave.latency_ms', direction: 'desc' as const }],
}

const payloadCharacters = { summary: 120, standard: 600, full: 20_000 }

async function search(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { id: project_id } = context.project()
  const { offset, anchor = new Date(context.now() + 1_000).toISOString() } = context.page
  const options = { signal: context.signal }
  // What is recorded after the first page would move the others.
  const conditions = [...conditionsOf(input), { $lt: [{ $getField: 'started_at' }, { $literal: anchor }] }]
  const chosen = { project_id, filter: { trace_roots_only: !looksBelowRoots(input) }, query: { $expr: { $and: conditions } } }
  const columns = [...traceColumns, 'inputs', 'output']
  const calls: TracedCall[] = []
  const query = { ...chosen, columns, sort_by: orders[input.sort], limit: input.limit, offset, include_costs: true }
  const [{ count }] = await Promise.all([
    context.tracing.calls.queryStats(chosen, options),
    collect(context.tracing.calls.streamQuery(query, options), calls),
  ])
  // A line about a trace has the totals of the trace; one about a call inside of it what the call itself reports.
  const [totals, named] = await Promise.all([
    looksBelowRoots(input) ? new Map<string, TraceTotal>() : readTotals(calls, context),
    withSpanNames(calls, context),
  ])
  const traces = named.map((call) => toLine(call, { total: totals.get(call.trace_id), max: payloadCharacters[input.detail] }))
  return {
    headline:
      count === 0
        ? `No such traces in ${project_id}.`
        : `${count} ${looksBelowRoots(input) ? 'calls' : 'traces'} match, ${input.sort} first.`,
    data: { traces: context.recorded(traces) },
    page: { key: 'traces', offset, total: count, hasMore: offset + calls.length < count, anchor },
  }
}

async function collect(source: AsyncIterable<TracedCall>, calls: TracedCall[]): Promise<void> {
  for await (const call of source) calls.push(call)
}

/** What the service counts of the traces of some calls, by their ids. */
async function readTotals(calls: readonly TracedCall[], { tracing, project, signal }: ToolContext): Promise<Map<string, TraceTotal>> {
  const trace_ids = [...new Set(calls.map(({ trace_id }) => trace_id))]
  if (trace_ids.length === 0) return new Map()
  const { traces } = await tracing.calls.traceTotals(
    { project_id: project().id, start: null, trace_ids, limit: trace_ids.length },
    { signal },
  )
  return new Map(traces.map((trace) => [trace.trace_id, trace]))
}

function toLine(call: TracedCall, { total, max }: { total: TraceTotal | undefined; max: number }): z.output<typeof Line> {
  const used = total ? { tokens: total.tokens || null, cost: total.cost } : { tokens: tokensOf(call), cost: costOf(call) }
  return {
    call_id: call.id,
    trace_id: call.trace_id,
    name: nameOf(call),
    status: total?.status ?? statusOf(call),
    started_at: call.started_at,
    latency_ms: latencyOf(call),
    ...used,
    ...(call.exception && { error: shortPayload(call.exception, max) }),
    input: shortPayload(call.inputs, max),
    output: shortPayload(call.output, max),
  }
}
