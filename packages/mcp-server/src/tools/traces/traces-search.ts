import { tracing } from '@heddle/core-api'
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
import { readFactsOfCalls, readFactsOfTraces, type TraceFacts } from './trace-facts.ts'
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
  // Calls recorded after the first page was read would shift the pages after it.
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
  // A root is listed with the totals of its trace, an inner call with those of itself and the calls below it.
  const [facts, named] = await Promise.all([
    looksBelowRoots(input) ? readFactsOfCalls(calls, context) : readFactsOfTraces(calls, context),
    withSpanNames(calls, context),
  ])
  const traces = named.map((call) => toLine(call, { facts: facts.get(call.id), maxCharacters: payloadCharacters[input.detail] }))
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

/** Most traces of one thread whose calls are searched. */
const maxTracesOfThread = 1_000

/** Selects the calls to search: root calls or all, of one thread if the input names one. */
async function filterOf(input: z.output<typeof Input>, { tracing, project, signal }: ToolContext) {
  const { thread_id } = input
  const ofTraces = { trace_roots_only: true, ...(thread_id !== undefined && { thread_ids: [thread_id] }) }
  if (!looksBelowRoots(input)) return { filter: ofTraces, warnings: [] }
  if (thread_id === undefined) return { filter: {}, warnings: [] }
  const traces = new Set<string>()
  const query = { project_id: project().id, filter: ofTraces, columns: ['trace_id'], sort_by: orders.newest, limit: maxTracesOfThread }
  for await (const { trace_id } of tracing.calls.streamQuery(query, { signal })) traces.add(trace_id)
  // An empty list of traces would not filter at all, while one of threads matches no call.
  const filter = traces.size === 0 ? { thread_ids: [] } : { trace_ids: [...traces] }
  const isTruncated = traces.size >= maxTracesOfThread
  return { filter, warnings: isTruncated ? [`only the newest ${maxTracesOfThread} traces of the thread were searched`] : [] }
}

async function collect(source: AsyncIterable<TracedCall>, calls: TracedCall[]): Promise<void> {
  for await (const call of source) calls.push(call)
}

function toLine(
  call: TracedCall,
  { facts, maxCharacters }: { facts: TraceFacts | undefined; maxCharacters: number },
): z.output<typeof Line> {
  const { inputs, output } = readablePayloads(call)
  return {
    call_id: call.id,
    trace_id: call.trace_id,
    name: nameOf(call),
    status: facts?.status ?? statusOf(call),
    started_at: call.started_at,
    ...(facts?.threadId && { thread_id: facts.threadId }),
    latency_ms: latencyOf(call),
    tokens: facts?.tokens ?? null,
    cost: facts?.cost ?? null,
    ...toCostSource(facts),
    ...(facts?.isParentMissing && { parent_missing: true }),
    ...(call.exception && { error: shortPayload(call.exception, maxCharacters) }),
    input: shortPayload(inputs, maxCharacters),
    output: shortPayload(output, maxCharacters),
  }
}
