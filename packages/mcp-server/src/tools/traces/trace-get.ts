import { tracing } from '@heddle/core-api'
import { messagesOfCalls, type TracedMessage } from '@heddle/trace-model'
import { z } from 'zod'
import type { Answer, AnswerLink } from '../../answer/answer.ts'
import { cutTexts } from '../../answer/cut-texts.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { costSource, toCostSource } from './cost-source.ts'
import { readablePayloads } from './readable-payloads.ts'
import { readTurns } from './thread-turns.ts'
import { maxCallsOfTrace, type PlacedCall, readPlacedCalls } from './trace-tree.ts'
import { latencyOf, nameOf, type TracedCall } from './traced-call.ts'

const Input = z.object({
  ...inProject,
  // Their names are self-explanatory.
  trace_id: tracing.calls.query.output.shape.calls.element.shape.trace_id.optional().describe(''),
  call_id: tracing.calls.read.body.shape.id.optional().describe(''),
  thread_id: tracing.threads.streamTurns.body.shape.thread_id.optional().describe(''),
  view: z.enum(['tree', 'messages', 'errors']).default('tree'),
  depth: z.int().min(0).max(100).optional(),
  max_chars_per_field: z.int().min(20).max(50_000).default(500),
  ...inPages(50, 200),
})

const Node = z.object({
  call_id: z.string(),
  /** Of calls of one trace. */
  depth: z.number().optional(),
  /** Of turns, which are of several. */
  trace_id: z.string().optional(),
  started_at: z.string().optional(),
  name: z.string(),
  kind: z.string().optional(),
  status: z.string(),
  latency_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  cost: z.number().nullable(),
  ...costSource,
  parent_missing: z.boolean().optional(),
  error: z.string().optional(),
  inputs: z.unknown().optional(),
  output: z.unknown().optional(),
})

/** A message: an object if it has more than `content`, such as tool calls. */
const Said = z.object({ call_id: z.string(), role: z.string(), content: z.unknown() })

const Output = z.object({
  trace_id: z.string().optional(),
  thread_id: z.string().optional(),
  entries: z.array(z.union([Node, Said])),
})

/** One trace, as the calls in it, its conversation, or what failed; or one thread as its turns. */
export const traceGet = defineTool({
  name: 'trace_get',
  title: 'Read a trace',
  description:
    'A trace, or all below call_id, as tree, messages or failures; or the turns of thread_id. Long fields are cut and linked. Example: {"trace_id": "<id>", "view": "errors"}',
  toolset: 'traces',
  operation: tracing.calls.streamQuery,
  input: Input,
  output: Output,
  run: (input, context) =>
    input.thread_id === undefined ? readTrace(input, context) : readThread({ ...input, thread_id: input.thread_id }, context),
})

type TraceInput = z.output<typeof Input>
type TraceEntry = z.output<typeof Node> | z.output<typeof Said>
const maxLinks = 20
const callsOfQuery = 1_000

async function readTrace(input: TraceInput, context: ToolContext): Promise<Answer> {
  const trace_id = input.trace_id ?? (await traceOfCall(input.call_id, context))
  const { offset } = context.page
  const all = await readPlacedCalls(trace_id, context)
  if (all.length === 0) throw noTrace(`trace ${JSON.stringify(trace_id.slice(0, 80))}`, context)
  const placed = below(all, input)
  const chosen = input.view === 'errors' ? failedOf(placed) : placed
  const isMessages = input.view === 'messages'
  const shown = isMessages ? chosen : chosen.slice(offset, offset + input.limit)
  const whole = await withPayloads(shown, context)
  const entries: TraceEntry[] = isMessages
    ? messagesOfCalls(whole.map(({ call }) => call)).map(toSaid)
    : whole.map((one) => toNode(one, input.view))
  const page = isMessages ? entries.slice(offset, offset + input.limit) : entries
  const total = isMessages ? entries.length : chosen.length
  const shortened = page.map((entry) => cutPayloads(entry, input.max_chars_per_field))
  const failed = placed.filter(({ call }) => call.exception).length
  return {
    headline: `Trace ${trace_id} has ${all.length} calls, of which ${failed} failed${isMessages ? `, and ${total} messages` : ''}.`,
    data: { trace_id, entries: context.recorded(shortened.map(({ value }) => value)) },
    page: { key: 'entries', offset, total, hasMore: offset + page.length < total },
    warnings: [
      ...(all.length >= maxCallsOfTrace ? [`only the first ${maxCallsOfTrace} calls of the trace were read`] : []),
      ...warnOfCuts(shortened, input.max_chars_per_field, context),
    ],
    links: linksTo(
      page.filter((_, at) => shortened[at]?.cut),
      context,
    ),
  }
}

/** The turns of a thread, with the messages and totals of each. */
async function readThread(input: TraceInput & { thread_id: string }, context: ToolContext): Promise<Answer> {
  const { thread_id, trace_id, call_id, view, limit, max_chars_per_field: max } = input
  if ((trace_id ?? call_id) !== undefined || view !== 'tree')
    throw new ToolError(
      'bad_request',
      'thread_id cannot be combined with trace_id, call_id or view',
      'Pass thread_id alone for the turns of a thread, then trace_id for one of them.',
    )
  const { turns, page } = await readTurns(thread_id, limit, context)
  const shortened = turns.map((turn) => cutPayloads(turn, max))
  return {
    headline: `Thread ${thread_id} has ${page.total} turns.`,
    data: { thread_id, entries: context.recorded(shortened.map(({ value }) => value)) },
    page: { key: 'entries', ...page },
    warnings: warnOfCuts(shortened, max, context),
    links: linksTo(
      turns.filter((_, at) => shortened[at]?.cut),
      context,
    ),
  }
}

function warnOfCuts(shortened: readonly { cut: number }[], max: number, { project }: ToolContext): string[] {
  const cut = shortened.reduce((sum, one) => sum + one.cut, 0)
  return cut === 0
    ? []
    : [
        `${cut} texts were cut at ${max} characters; max_chars_per_field keeps more, and the resource call://${project().id}/<call_id> has all`,
      ]
}

async function traceOfCall(call_id: string | undefined, context: ToolContext): Promise<string> {
  if (call_id === undefined)
    throw new ToolError('bad_request', 'none of trace_id, call_id and thread_id was given', 'Pass one of them; traces_search gives all.')
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

async function readPayloads(call_ids: string[], { exactTracing, project, signal }: ToolContext): Promise<TracedCall[]> {
  const calls: TracedCall[] = []
  const columns = ['id', 'trace_id', 'op_name', 'started_at', 'inputs', 'output', 'attributes']
  const query = { project_id: project().id, filter: { call_ids }, columns, limit: callsOfQuery }
  for await (const call of exactTracing.calls.streamQuery(query, { signal })) calls.push(call)
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

/** Failed calls; those that only pass on the failure of a call below them are last. */
function failedOf(placed: readonly PlacedCall[]): PlacedCall[] {
  const failed = placed.filter(({ call }) => call.exception)
  const passing = new Set(failed.map(({ call }) => call.parent_id))
  return [...failed.filter(({ call }) => !passing.has(call.id)), ...failed.filter(({ call }) => passing.has(call.id))]
}

async function withPayloads(placed: readonly PlacedCall[], context: ToolContext): Promise<PlacedCall[]> {
  const ids = placed.map(({ call }) => call.id).slice(0, callsOfQuery)
  if (ids.length === 0) return []
  const payloads = new Map((await readPayloads(ids, context)).map((call) => [call.id, call]))
  return placed.slice(0, callsOfQuery).map(({ call, ...place }) => {
    const { inputs = {}, output = null, attributes = {} } = payloads.get(call.id) ?? {}
    return { ...place, call: { ...call, inputs, output, attributes } }
  })
}

function toNode(
  { call, depth, kind, status, total, isParentMissing }: PlacedCall,
  view: 'tree' | 'messages' | 'errors',
): z.output<typeof Node> {
  const { inputs, output } = readablePayloads(call)
  return {
    call_id: call.id,
    depth,
    name: nameOf(call),
    ...(kind !== undefined && { kind }),
    status,
    latency_ms: latencyOf(call),
    tokens: total?.tokens ?? null,
    cost: total?.cost ?? null,
    ...toCostSource(total),
    ...(isParentMissing && { parent_missing: true }),
    ...(call.exception && { error: call.exception }),
    inputs,
    ...(view === 'tree' && { output }),
  }
}

function toSaid({ callId, message: { role, content, ...others } }: TracedMessage): z.output<typeof Said> {
  return { call_id: callId, role, content: Object.keys(others).length === 0 ? content : { content, ...others } }
}

/** The entry with its payloads cut. Ids, names and numbers are kept. */
function cutPayloads(entry: TraceEntry, max: number): { value: TraceEntry; cut: number } {
  const payloads = ['inputs', 'output', 'error', 'content'].flatMap((key) =>
    Object.hasOwn(entry, key) ? [[key, Reflect.get(entry, key) as unknown] as const] : [],
  )
  const { value, cut } = cutTexts(Object.fromEntries(payloads), max)
  return { value: { ...entry, ...(value as object) }, cut }
}

/** Links to the calls that were cut; the warning describes how to read the others. */
function linksTo(cutEntries: readonly { call_id: string }[], context: ToolContext): AnswerLink[] {
  const { id } = context.project()
  const ids = [...new Set(cutEntries.map(({ call_id }) => call_id))].slice(0, maxLinks)
  return ids.map((call_id) => ({ uri: `call://${id}/${encodeURIComponent(call_id)}`, name: 'The whole call' }))
}
