import { tracing } from '@heddle/core-api'
import { type CallTotal, noTotal } from '@heddle/trace-model'
import { compare } from '@heddle/trace-model/query'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { Detail, inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { costSource, toCostSource } from './cost-source.ts'
import { conditionsOf, looksBelowRoots, traceFilter } from './trace-filter.ts'
import { readablePayloads } from './readable-payloads.ts'
import { withSpanNames } from './span-names.ts'
import { readPlacedCalls } from './trace-tree.ts'
import { latencyOf, nameOf, shortPayload, statusOf, traceColumns, type TracedCall } from './traced-call.ts'

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
  thread_id: z.string().optional(),
  latency_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  ...costSource,
  parent_missing: z.boolean().optional(),
  error: z.string().optional(),
  input: z.string(),
  output: z.string(),
})

const Output = z.object({ traces: z.array(Line) })

/** Searches traces. */
export const tracesSearch = defineTool({
  name: 'traces_search',
  title: 'Search traces',
  description:
    'Finds traces with input and output in short; by op_name, model, trajectory_id or text, calls inside traces. For totals take trace_stats. Example: {"status": "error", "since": "2026-11-16"}',
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
  // Calls recorded after the first page would shift the others.
  const conditions = [...conditionsOf(input), compare('$lt', 'started_at', anchor)]
  const { filter, warnings } = await filterOf(input, context)
  const chosen = { project_id, filter, query: { $expr: { $and: conditions } } }
  const columns = [...traceColumns, 'inputs', 'output']
  const calls: TracedCall[] = []
  const query = { ...chosen, columns, sort_by: orders[input.sort], limit: input.limit, offset, include_costs: true }
  const [{ count }] = await Promise.all([
    context.tracing.calls.queryStats(chosen, options),
    collect(context.exactTracing.calls.streamQuery(query, options), calls),
  ])
  // A line about a trace has the totals of the trace; one about a call inside of it those of the call and all below it.
  const [totals, named] = await Promise.all([
    looksBelowRoots(input) ? readTotalsOfCalls(calls, context) : readTotalsOfTraces(calls, context),
    withSpanNames(calls, context),
  ])
  const traces = named.map((call) => toLine(call, { total: totals.get(call.id), max: payloadCharacters[input.detail] }))
  return {
    headline:
      count === 0
        ? `No such traces in ${project_id}.`
        : `${count} ${looksBelowRoots(input) ? 'calls' : 'traces'} match, ${input.sort} first.`,
    data: { traces: context.recorded(traces) },
    page: { key: 'traces', offset, total: count, hasMore: offset + calls.length < count, anchor },
    warnings,
  }
}

/** Most traces of one thread in which calls are searched. */
const maxTracesOfThread = 1_000

/** Which calls are looked at: roots, or all calls, of the traces of a thread where one is named. */
async function filterOf(input: z.output<typeof Input>, { tracing, project, signal }: ToolContext) {
  const { thread_id } = input
  const ofTraces = { trace_roots_only: true, ...(thread_id !== undefined && { thread_ids: [thread_id] }) }
  if (!looksBelowRoots(input)) return { filter: ofTraces, warnings: [] }
  if (thread_id === undefined) return { filter: {}, warnings: [] }
  const traces = new Set<string>()
  const query = { project_id: project().id, filter: ofTraces, columns: ['trace_id'], sort_by: orders.newest, limit: maxTracesOfThread }
  for await (const { trace_id } of tracing.calls.streamQuery(query, { signal })) traces.add(trace_id)
  // An empty list would mean no filter, but no trace matches.
  const filter = traces.size === 0 ? { thread_ids: [] } : { trace_ids: [...traces] }
  const isCut = traces.size >= maxTracesOfThread
  return { filter, warnings: isCut ? [`only the newest ${maxTracesOfThread} traces of the thread were searched`] : [] }
}

async function collect(source: AsyncIterable<TracedCall>, calls: TracedCall[]): Promise<void> {
  for await (const call of source) calls.push(call)
}

/** Data of a line in the list that requires its trace. */
interface LineTotal extends CallTotal {
  status: string
  /** Thread of its trace. */
  threadId: string | null
  /** It names a parent that is not in the trace. */
  isParentMissing: boolean
}

/** The service's totals for the traces of some roots, by id of the root. */
async function readTotalsOfTraces(
  roots: readonly TracedCall[],
  { tracing, project, signal }: ToolContext,
): Promise<Map<string, LineTotal>> {
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

/** Traces that are read at a time. */
const tracesAtATime = 8

/** What counts at and below some calls, by their ids. */
async function readTotalsOfCalls(calls: readonly TracedCall[], context: ToolContext): Promise<Map<string, LineTotal>> {
  const wanted = new Set(calls.map(({ id }) => id))
  const traceIds = [...new Set(calls.map(({ trace_id }) => trace_id))]
  const totals = new Map<string, LineTotal>()
  for (let at = 0; at < traceIds.length; at += tracesAtATime) {
    const read = traceIds.slice(at, at + tracesAtATime).map((id) => readPlacedCalls(id, context))
    for (const { call, status, total, isParentMissing, threadId } of (await Promise.all(read)).flat())
      if (wanted.has(call.id)) totals.set(call.id, { ...(total ?? noTotal), status, isParentMissing, threadId })
  }
  return totals
}

function toLine(call: TracedCall, { total, max }: { total: LineTotal | undefined; max: number }): z.output<typeof Line> {
  const { inputs, output } = readablePayloads(call)
  return {
    call_id: call.id,
    trace_id: call.trace_id,
    name: nameOf(call),
    status: total?.status ?? statusOf(call),
    started_at: call.started_at,
    ...(total?.threadId && { thread_id: total.threadId }),
    latency_ms: latencyOf(call),
    tokens: total?.tokens ?? null,
    cost: total?.cost ?? null,
    ...toCostSource(total),
    ...(total?.isParentMissing && { parent_missing: true }),
    ...(call.exception && { error: shortPayload(call.exception, max) }),
    input: shortPayload(inputs, max),
    output: shortPayload(output, max),
  }
}
