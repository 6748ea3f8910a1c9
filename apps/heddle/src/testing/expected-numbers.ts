import { formatTimestamp } from '@heddle/core-api'
import { reportsOfRequests, settleTrace, type TraceNode } from '@heddle/trace-model'
import { settleEachNaively } from '@heddle/trace-model/testing'
import { expect } from 'vitest'
import { isSentAsTurn, messagesOfSent, type SentTrace } from './send-traces.ts'

export type Uses = ReturnType<typeof settleEachNaively>['calls'][number]['uses']

/** Prices of the model `m`; other models have none. Prompts have 7 to 30 tokens. No price is stated for the tier `priority`. */
export const price = {
  prompt_token_cost: 0.001,
  completion_token_cost: 0.002,
  tiers: [
    { above_input_tokens: 15, prompt_token_cost: 0.0017, completion_token_cost: 0.003 },
    { service_tier: 'flex', prompt_token_cost: 0.0005, completion_token_cost: 0.0011 },
    { service_tier: 'flex', above_input_tokens: 15, prompt_token_cost: 0.0009 },
  ],
}
const rates = { plain: [0.001, 0.002], plainLong: [0.0017, 0.003], flex: [0.0005, 0.0011], flexLong: [0.0009, 0.002] } as const

export const close = (cost: number | null) => (cost === null ? null : (expect.closeTo(cost, 9) as number))

export const tokensOf = (uses: Uses) => uses.reduce((sum, { sides }) => sum + sides[0] + sides[1] + sides[2], 0)

/** Each request at its own price. What is left of a sum has the prices of the whole, and a total alone has none. */
export function costOf(uses: Uses, nodes: ReadonlyMap<string, TraceNode>): number | null {
  const priced = uses.filter(isPriced)
  if (priced.length === 0) return null
  return priced.reduce((sum, { sides, callId }) => {
    const { serviceTier, requestTokens = 0 } = nodes.get(callId)!.usage[0]!
    const [input, output] = rates[`${serviceTier === 'flex' ? 'flex' : 'plain'}${requestTokens > 15 ? 'Long' : ''}`]
    return sum + sides[0] * input + sides[1] * output
  }, 0)
}

/** A model without a price, and a total alone, have no cost. */
export const isPriced = ({ model, sides }: Uses[number]) => model === 'm' && sides[2] === 0

/** What every surface must say of a trace, its roots and its calls. */
export function expectedOf({ nodes }: SentTrace) {
  const { rootId, isParentMissing, status, threadId, roots, counted, calls } = settleEachNaively(nodes)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const uses = counted.map((text): Uses[number] => {
    const [callId = '', model = '', sides = ''] = text.split(' ')
    const [input = 0, output = 0, alone = 0] = sides.split('/').map(Number)
    return { callId, model, sides: [input, output, alone] }
  })
  return {
    trace: { rootId, isParentMissing, status, tokens: tokensOf(uses) || null, cost: close(costOf(uses, byId)) },
    threadId,
    roots,
    uses,
    calls: Object.fromEntries(
      calls.map(({ id, status: own, uses: below }) => [
        id,
        { status: own, tokens: tokensOf(below) || null, cost: close(costOf(below, byId)) },
      ]),
    ),
  }
}

/** What every surface must say of a turn. */
export interface ExpectedTurn {
  id: string
  trace_id: string
  started_at: string
  status: string | undefined
  tokens: number | null | undefined
  cost: number | null | undefined
  is_parent_missing: boolean
  /** Calls whose input and output may be those of the turn: several where they started together. Null: none. */
  inputs: (string | null)[]
  outputs: (string | null)[]
}

/** The turns of each thread, by start and id. */
export function expectedThreads(traces: readonly SentTrace[]): Map<string, ExpectedTurn[]> {
  const turns = traces.flatMap((trace) => {
    const { nodes, kinds } = trace
    const { trace: whole, threadId } = expectedOf(trace)
    const said = nodes.filter((node, at) => isSentAsTurn(node, kinds[at]!))
    const root = nodes.find(({ id }) => id === whole.rootId)!
    // Such a turn begins with its trace.
    const startedAt = Math.min(...nodes.map((node) => node.startedAt))
    const derived = said.length === 0 && threadId !== null && root.wire === 'otlp' ? [{ turn: root, thread: threadId, startedAt }] : []
    return [...said.map((turn) => ({ turn, thread: turn.threadId!, startedAt: turn.startedAt })), ...derived].map((one) => ({
      ...one,
      expected: toTurn(trace, one.turn, one.startedAt),
    }))
  })
  const sorted = turns.toSorted((one, other) => one.startedAt - other.startedAt || (one.expected.id < other.expected.id ? -1 : 1))
  return new Map(
    [...new Set(sorted.map(({ thread }) => thread))].map((id) => [
      id,
      sorted.filter(({ thread }) => thread === id).map(({ expected }) => expected),
    ]),
  )
}

function toTurn(trace: SentTrace, turn: TraceNode, startedAt: number): ExpectedTurn {
  const { trace: whole, calls } = expectedOf(trace)
  const isRoot = turn.id === whole.rootId
  const own = messagesOfSent(turn)
  const models = [turn, ...belowOf(trace.nodes, turn)].filter(({ isModelCall }) => isModelCall)
  // Several reports of one request are together, and begin with the first of them.
  const requests = reportsOfRequests(models, settleTrace(trace.nodes)).map((reports) => ({
    reports,
    startedAt: Math.min(...reports.map(({ startedAt }) => startedAt)),
  }))
  const starts = requests.map(({ startedAt }) => startedAt)
  const reportsAt = (micros: number) => requests.flatMap(({ reports, startedAt }) => (startedAt === micros ? reports : []))
  const [first, last] = [reportsAt(Math.min(...starts)), reportsAt(Math.max(...starts))]
  const orNone = (ids: (string | null)[]) => (ids.length === 0 ? [null] : ids)
  return {
    id: turn.id,
    trace_id: trace.traceId,
    started_at: formatTimestamp(startedAt),
    ...(isRoot ? { status: whole.status, tokens: whole.tokens, cost: whole.cost } : calls[turn.id]!),
    is_parent_missing: turn.parentId !== null && trace.nodes.every(({ id }) => id !== turn.parentId),
    inputs: own.input !== undefined ? [turn.id] : orNone(first.map(({ id }) => id)),
    outputs:
      own.output !== undefined ? [turn.id] : orNone(last.map((node) => (messagesOfSent(node).output === undefined ? null : node.id))),
  }
}

/** Calls below one, each once: parents may lead back to themselves, and a cycle is cut at the call that started first. */
export function belowOf(nodes: readonly TraceNode[], from: TraceNode): TraceNode[] {
  const found = new Set<TraceNode>()
  const roots = new Set(settleEachNaively(nodes).roots)
  for (let next: TraceNode[] = [from]; next.length > 0;) {
    const parents = new Set(next.map(({ id }) => id))
    next = nodes.filter((node) => !roots.has(node.id) && parents.has(node.parentId ?? '') && !found.has(node) && node !== from)
    for (const node of next) found.add(node)
  }
  return [...found]
}
