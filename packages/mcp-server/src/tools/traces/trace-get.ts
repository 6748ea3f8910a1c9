import { tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer, AnswerLink } from '../../answer/answer.ts'
import { cutTexts } from '../../answer/cut-texts.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { messagesOf, type TracedMessage } from './trace-messages.ts'
import { inTreeOrder, type PlacedCall } from './trace-tree.ts'
import { costOf, latencyOf, nameOf, statusOf, tokensOf, traceColumns, type TracedCall } from './traced-call.ts'

const Input = z.object({
  ...inProject,
  trace_id: tracing.calls.query.output.shape.calls.element.shape.trace_id.optional(),
  call_id: tracing.calls.read.body.shape.id.optional(),
  view: z.enum(['tree', 'messages', 'errors']).default('tree'),
  depth: z.int().min(0).max(100).optional().describe('Levels below the root to show'),
  max_chars_per_field: z.int().min(20).max(50_000).default(500),
  ...inPages(50, 200),
})

const Node = z.object({
  call_id: z.string(),
  depth: z.number(),
  name: z.string(),
  status: z.string(),
  latency_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  error: z.string().optional(),
  inputs: z.unknown().optional(),
  output: z.unknown().optional(),
})

const Output = z.object({
  trace_id: z.string(),
  entries: z.array(z.union([Node, z.object({ call_id: z.string(), role: z.string(), content: z.unknown() })])),
})

/** One trace, as the calls in it, its conversation, or what failed. */
export const traceGet = defineTool({
  name: 'trace_get',
  title: 'Read a trace',
  description:
    'A trace, or the part of it below call_id: its calls in tree order, the messages of its model calls, or what failed. Long fields are cut, with links to whole calls. Example: {"trace_id": "<id>", "view": "errors"}',
  toolset: 'traces',
  operation: tracing.calls.streamQuery,
  input: Input,
  output: Output,
  run: readTrace,
})

type TraceInput = z.output<typeof Input>
type TraceEntry = z.output<typeof Node> | TracedMessage
const maxCalls = 10_000
const maxLinks = 20

async function readTrace(input: TraceInput, context: ToolContext): Promise<Answer> {
  const trace_id = input.trace_id ?? (await traceOfCall(input.call_id, context))
  const { offset } = context.page
  const calls = await collect(context, { trace_ids: [trace_id] }, traceColumns)
  if (calls.length === 0) throw noTrace(`trace ${JSON.stringify(trace_id.slice(0, 80))}`, context)
  const placed = below(inTreeOrder(calls), input)
  const chosen = input.view === 'errors' ? failedOf(placed) : placed
  const isMessages = input.view === 'messages'
  const shown = isMessages ? chosen : chosen.slice(offset, offset + input.limit)
  const whole = await withPayloads(shown, context)
  const entries: TraceEntry[] = isMessages ? messagesOf(whole.map(({ call }) => call)) : whole.map((one) => toNode(one, input.view))
  const page = isMessages ? entries.slice(offset, offset + input.limit) : entries
  const total = isMessages ? entries.length : chosen.length
  const shortened = page.map((entry) => cutPayloads(entry, input.max_chars_per_field))
  const cut = shortened.reduce((sum, one) => sum + one.cut, 0)
  const failed = placed.filter(({ call }) => call.exception).length
  return {
    headline: `Trace ${trace_id} has ${calls.length} calls, of which ${failed} failed${isMessages ? `, and ${total} messages` : ''}.`,
    data: { trace_id, entries: context.recorded(shortened.map(({ value }) => value)) },
    page: { key: 'entries', offset, total, hasMore: offset + page.length < total },
    warnings: [
      ...(calls.length >= maxCalls ? [`only the first ${maxCalls} calls of the trace were read`] : []),
      ...(cut > 0
        ? [
            `${cut} texts were cut at ${input.max_chars_per_field} characters; max_chars_per_field keeps more, and the resource call://${context.project().id}/<call_id> has all`,
          ]
        : []),
    ],
    links: linksTo(
      page.filter((_, at) => shortened[at]?.cut),
      context,
    ),
  }
}

async function traceOfCall(call_id: string | undefined, context: ToolContext): Promise<string> {
  if (call_id === undefined)
    throw new ToolError('bad_request', 'neither trace_id nor call_id was given', 'Pass one of them; traces_search gives both.')
  const { call } = await context.tracing.calls.read({ project_id: context.project().id, id: call_id }, { signal: context.signal })
  if (!call) throw noTrace(`call ${JSON.stringify(call_id.slice(0, 80))}`, context)
  return call.trace_id
}

function noTrace(what: string, context: ToolContext): ToolError {
  return new ToolError(
    'not_found',
    `no ${what} in project ${context.project().id}`,
    'Call traces_search for the ids of traces; check the project.',
  )
}

async function collect(
  { tracing, project, signal }: ToolContext,
  filter: { trace_ids?: string[]; call_ids?: string[] },
  columns: string[],
): Promise<TracedCall[]> {
  const calls: TracedCall[] = []
  const query = { project_id: project().id, filter, columns, limit: maxCalls, include_costs: true }
  for await (const call of tracing.calls.streamQuery(query, { signal })) calls.push(call)
  return calls
}

/** The calls at and below the wanted one, as deep as wanted. */
function below(placed: readonly PlacedCall[], { call_id, depth }: TraceInput): PlacedCall[] {
  const from = call_id === undefined ? 0 : placed.findIndex(({ call }) => call.id === call_id)
  const root = placed[from]
  if (!root) return []
  const after = call_id === undefined ? -1 : placed.findIndex((one, at) => at > from && one.depth <= root.depth)
  const part = placed.slice(from, after < 0 ? undefined : after).map((one) => ({ ...one, depth: one.depth - root.depth }))
  return depth === undefined ? part : part.filter((one) => one.depth <= depth)
}

/** Failed calls; those below whom another failed only pass it on, and come last. */
function failedOf(placed: readonly PlacedCall[]): PlacedCall[] {
  const failed = placed.filter(({ call }) => call.exception)
  const passing = new Set(failed.map(({ call }) => call.parent_id))
  return [...failed.filter(({ call }) => !passing.has(call.id)), ...failed.filter(({ call }) => passing.has(call.id))]
}

const callsOfQuery = 1_000

async function withPayloads(placed: readonly PlacedCall[], context: ToolContext): Promise<PlacedCall[]> {
  const ids = placed.map(({ call }) => call.id).slice(0, callsOfQuery)
  if (ids.length === 0) return []
  const columns = ['id', 'trace_id', 'op_name', 'started_at', 'inputs', 'output', 'attributes']
  const payloads = new Map((await collect(context, { call_ids: ids }, columns)).map((call) => [call.id, call]))
  return placed.slice(0, callsOfQuery).map(({ call, depth }) => {
    const { inputs = {}, output = null, attributes = {} } = payloads.get(call.id) ?? {}
    return { call: { ...call, inputs, output, attributes }, depth }
  })
}

function toNode({ call, depth }: PlacedCall, view: 'tree' | 'messages' | 'errors'): z.output<typeof Node> {
  return {
    call_id: call.id,
    depth,
    name: nameOf(call),
    status: statusOf(call),
    latency_ms: latencyOf(call),
    tokens: tokensOf(call),
    cost: costOf(call),
    ...(call.exception && { error: call.exception }),
    inputs: call.inputs,
    ...(view === 'tree' && { output: call.output }),
  }
}

/** The entry with its payloads cut. Ids, names and numbers stay. */
function cutPayloads(entry: TraceEntry, max: number): { value: TraceEntry; cut: number } {
  const payloads = ['inputs', 'output', 'error', 'content'].flatMap((key) =>
    Object.hasOwn(entry, key) ? [[key, Reflect.get(entry, key) as unknown] as const] : [],
  )
  const { value, cut } = cutTexts(Object.fromEntries(payloads), max)
  return { value: { ...entry, ...(value as object) }, cut }
}

/** The calls of which something was cut; the warning says how the others are read. */
function linksTo(cutEntries: readonly { call_id: string }[], context: ToolContext): AnswerLink[] {
  const { id } = context.project()
  const ids = [...new Set(cutEntries.map(({ call_id }) => call_id))].slice(0, maxLinks)
  return ids.map((call_id) => ({ uri: `call://${id}/${encodeURIComponent(call_id)}`, name: 'The whole call' }))
}
