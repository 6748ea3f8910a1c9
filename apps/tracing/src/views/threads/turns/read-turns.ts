import { formatTimestamp } from '@heddle/core-api'
import type { Call, ThreadTurn, TraceTotal } from '@heddle/core-api/types'
import { inParts, type Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import { isUnspokenInput, isUnspokenOutput, type Message, readTurnInput, readTurnOutput } from '@heddle/trace-model'
import type { TracingContext } from '../../../context.ts'
import type { RefProjectsFor } from '../../../payload/ref-projects.ts'
import type { CallsStore } from '../../../records/calls/calls-store.ts'
import { noCallsFilter } from '../../../records/calls/read/no-calls-filter.ts'
import { presentCalls } from '../../../records/calls/read/present-calls.ts'
import { type CallsView, readCalls } from '../../../records/calls/read/read-calls.ts'
import { viewOfColumns } from '../../../records/calls/read/view-of-columns.ts'
import type { CallsStatsStore } from '../../../records/calls/stats/calls-stats-store.ts'
import { traceTotals } from '../../../records/calls/stats/trace-totals.ts'
import { costOfUsage } from '../../../records/costs/cost-of-usage.ts'
import type { PricesFor } from '../../../records/costs/prices.ts'
import { type CallsOfTurn, callsOfTurn } from './calls-of-turn.ts'
import type { StoredTurn, TurnsSelection, TurnsStore } from './turns-store.ts'

export type ReadTurns = (project: ProjectScope, selection: TurnsSelection, context: TracingContext) => AsyncGenerator<ThreadTurn>

export interface TurnsDeps {
  turns: TurnsStore
  calls: CallsStore
  statsStore: CallsStatsStore
  prices: PricesFor
  refProjects: RefProjectsFor
  clock: () => Micros
}

/** Turns whose calls are in memory together. */
const turnsAtOnce = 10

/** Reads turns with data from their traces. Turns deleted meanwhile are omitted. */
export function createReadTurns(deps: TurnsDeps): ReadTurns {
  return async function* readTurns(project, selection, context) {
    const found = await deps.turns.select(project, selection)
    const view = viewOf(project, deps.refProjects(project, context).maySee)
    for (const some of inParts(found, turnsAtOnce)) yield* readSome(some, { project, view, ...deps })
  }
}

interface Reading extends TurnsDeps {
  project: ProjectScope
  view: CallsView
}

async function* readSome(found: readonly StoredTurn[], reading: Reading): AsyncGenerator<ThreadTurn> {
  const totals = await readTotals(found, reading)
  const calls = await readByIds(
    found.map(({ id }) => id),
    reading,
  )
  for (const turn of found) {
    const call = calls.get(turn.id)
    const total = totals.get(turn.trace_id)
    if (call !== undefined) yield await toTurn({ turn, call, total }, reading)
  }
}

interface TurnParts {
  turn: StoredTurn
  call: Call
  total: TraceTotal | undefined
}

async function toTurn({ turn, call, total }: TurnParts, reading: Reading): Promise<ThreadTurn> {
  const own = { input: said(call, inputs), output: said(call, outputs) }
  const root = total?.root_call_id === turn.id ? total : undefined
  const isWhole = root !== undefined && !own.input.isUnspoken && !own.output.isUnspoken
  const below = isWhole ? undefined : await readBelow(turn, reading)
  const calls = await readByIds(
    [...(own.input.isUnspoken ? (below?.firstRequests ?? []) : []), ...(own.output.isUnspoken ? (below?.lastRequest ?? []) : [])],
    reading,
  )
  const reports = (ids: readonly string[] = []) => ids.flatMap((id) => calls.get(id) ?? [])
  const input = orOf(own.input, reports(below?.firstRequests), inputs)
  const output = orOf(own.output, reports(below?.lastRequest), outputs)
  return {
    id: turn.id,
    trace_id: turn.trace_id,
    op_name: call.op_name,
    display_name: call.display_name,
    started_at: formatTimestamp(turn.started_micros),
    ended_at: turn.ended_micros === null ? null : formatTimestamp(turn.ended_micros),
    status: root?.status ?? statusOf(call),
    exception: call.exception,
    is_parent_missing: root?.is_parent_missing ?? below?.isParentMissing ?? false,
    ...(root ? usageOfTrace(root) : await usageBelow(below, reading)),
    is_behind: total?.is_behind ?? false,
    input: toMessages(input),
    output: toMessages(output),
    input_call_id: input.callId,
    output_call_id: output.callId,
  }
}

/** How one side of a turn is read. */
interface Side {
  read: (call: Call) => readonly Message[]
  /** Whether a model call below the turn says more than these messages. */
  isUnspoken: (messages: readonly Message[]) => boolean
}

const inputs: Side = { read: readTurnInput, isUnspoken: isUnspokenInput }
const outputs: Side = { read: readTurnOutput, isUnspoken: isUnspokenOutput }

interface SideMessages {
  messages: readonly Message[]
  isUnspoken: boolean
  callId: string | null
}

function said(call: Call, { read, isUnspoken }: Side): SideMessages {
  const messages = read(call)
  return { messages, isUnspoken: isUnspoken(messages), callId: messages.length === 0 ? null : call.id }
}

/** A turn's own messages, else those of the first report of requests that says something, else those of the first that has some. */
function orOf(own: SideMessages, reports: readonly Call[], side: Side): SideMessages {
  const all = [own, ...reports.map((call) => said(call, side))]
  return all.find(({ isUnspoken }) => !isUnspoken) ?? all.find(({ messages }) => messages.length > 0) ?? own
}

const toMessages = ({ messages }: SideMessages): ThreadTurn['input'] =>
  messages.map((message) => ({ ...message, parts: message.parts.map((part) => ({ ...part })) }))

type Usage = Pick<ThreadTurn, 'tokens' | 'cost' | 'reported_uses' | 'unpriced_uses' | 'priced_as'>

const usageOfTrace = ({ tokens, cost, reported_uses, unpriced_uses, priced_as }: TraceTotal): Usage => ({
  tokens,
  cost,
  reported_uses,
  unpriced_uses,
  priced_as,
})

async function usageBelow(below: CallsOfTurn | undefined, { project, prices }: Reading): Promise<Usage> {
  if (below === undefined) return { tokens: null, cost: null, reported_uses: 0, unpriced_uses: 0, priced_as: [] }
  const ofModels = await prices(
    project,
    below.usage.map(({ model }) => model),
  )
  const { cost, reported, unpriced, pricedAs } = costOfUsage(below.usage, ofModels)
  return { tokens: below.tokens, cost, reported_uses: reported, unpriced_uses: unpriced, priced_as: pricedAs }
}

async function readBelow(turn: StoredTurn, { turns, project }: Reading): Promise<CallsOfTurn | undefined> {
  const nodes = await turns.readNodes(project, turn.trace_id)
  return nodes && callsOfTurn({ ...turn, project_id: project.id }, nodes)
}

async function readTotals(found: readonly StoredTurn[], { project, statsStore, prices, clock }: Reading): Promise<Map<string, TraceTotal>> {
  const trace_ids = [...new Set(found.map(({ trace_id }) => trace_id))]
  const least = { min_calls: null, min_errors: null, min_tokens: null, min_cost: null, min_duration_ms: null }
  const request = { project, start: null, end: null, ...least, trace_ids, limit: trace_ids.length }
  const { traces } = await traceTotals(request, { store: statsStore, prices, now: clock() })
  return new Map(traces.map((trace) => [trace.trace_id, trace]))
}

/** The calls of some ids that a reader sees, by id. */
async function readByIds(ids: readonly string[], { project, calls: store, view }: Reading): Promise<Map<string, Call>> {
  const call_ids = [...new Set(ids)]
  const calls = new Map<string, Call>()
  if (call_ids.length === 0) return calls
  const filter = { ...noCallsFilter, call_ids }
  const keys = await store.select(project, { filter, query: null, sort_by: null, limit: null, offset: null, expand_columns: null })
  for await (const { json } of readCalls(store, project, keys, view)) {
    const call = parseJson(json) as Call
    calls.set(call.id, call)
  }
  return calls
}

const columns = ['display_name', 'ended_at', 'exception', 'attributes', 'inputs', 'output', 'summary']

function viewOf(project: ProjectScope, maySee: (projectId: string) => Promise<boolean>): CallsView {
  return viewOfColumns(columns, { present: presentCalls({ projectId: project.id, maySee }), failuresBelow: true })
}

const statusOf = ({ summary }: Call) => (summary as { weave: { status: ThreadTurn['status'] } }).weave.status
