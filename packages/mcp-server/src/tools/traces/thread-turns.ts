import type { ThreadTurn } from '@heddle/core-api/types'
import { messagesOfTurn, toChatMessages } from '@heddle/trace-model'
import type { AnswerPage } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import type { ToolContext } from '../tool-context.ts'
import { withSpanNames } from './span-names.ts'
import { latencyOf, nameOf } from './traced-call.ts'

/** A turn for an assistant: its messages in the form of chat completions, and the totals of its trace. */
export interface TurnEntry {
  /** The call that is the turn. */
  call_id: string
  trace_id: string
  name: string
  status: string
  started_at: string
  /** Null while it runs. */
  latency_ms: number | null
  tokens: number | null
  /** Null without any known price. */
  cost: number | null
  parent_missing?: boolean
  error?: string
  inputs: unknown
  output: unknown
}

/** A page of the turns of a thread. */
export interface TurnsPage {
  turns: TurnEntry[]
  page: Omit<AnswerPage, 'key'> & { total: number }
}

/** Turns that a request reads. */
const maxTurns = 200

/** Reads turns of a thread, the first first. @throws ToolError for a thread without turns */
export async function readTurns(thread_id: string, limit: number, context: ToolContext): Promise<TurnsPage> {
  const { tracing, exactTracing, project, signal } = context
  const project_id = project().id
  const { offset, anchor } = context.page
  let total = 0
  for await (const { turn_count } of tracing.threads.streamQuery({ project_id, filter: { thread_ids: [thread_id] } }, { signal }))
    total += turn_count
  if (total === 0) throw noThread(thread_id, project_id)
  const turns: ThreadTurn[] = []
  const query = { project_id, thread_id, after: anchor === undefined ? null : placeOf(anchor), limit: Math.min(limit, maxTurns) }
  for await (const turn of exactTracing.threads.streamTurns(query, { signal })) turns.push(turn)
  const named = await withSpanNames(turns, context)
  const entries = turns.map((turn, at) => toEntry(turn, nameOf(named[at] ?? turn)))
  return {
    turns: entries,
    page: {
      offset,
      total,
      hasMore: offset + turns.length < total && turns.length > 0,
      after: (entry) => anchorOf(entry as TurnEntry),
    },
  }
}

const anchorOf = ({ started_at, call_id }: TurnEntry) => JSON.stringify([started_at, call_id])

/** The turn after which the page begins. */
function placeOf(anchor: string): { started_at: string; id: string } {
  const [started_at, id] = JSON.parse(anchor) as [string, string]
  return { started_at, id }
}

function toEntry(turn: ThreadTurn, name: string): TurnEntry {
  const { id, trace_id, status, started_at, tokens, cost, is_parent_missing, exception } = turn
  return {
    call_id: id,
    trace_id,
    name,
    status,
    started_at,
    latency_ms: latencyOf(turn),
    tokens,
    cost,
    ...(is_parent_missing && { parent_missing: true }),
    ...(exception && { error: exception }),
    inputs: toChatMessages(messagesOfTurn(turn.input)),
    output: toChatMessages(messagesOfTurn(turn.output)),
  }
}

function noThread(id: string, project_id: string): ToolError {
  return new ToolError(
    'not_found',
    `no turn of thread ${JSON.stringify(id.slice(0, 80))} in project ${project_id}`,
    'Call traces_search for traces with their thread_id; check the project.',
  )
}
