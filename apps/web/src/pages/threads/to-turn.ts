import { type Call, displayNameOf } from '@heddle/core-api'
import { toText } from '../../components/to-text.ts'
import { type CallRow, toCallRow } from '../calls/call-row.ts'
import { toFeedbackMarks } from '../feedback/feedback-marks.ts'
import { type Message, readConversation } from '@heddle/trace-model'
import { memberOf } from '@heddle/core-api/internal'

/** A turn of a conversation: what was said, and what it took. */
export interface Turn extends Pick<CallRow, 'id' | 'status' | 'startedAt' | 'latencyMs' | 'tokens' | 'cost'> {
  name: string
  messages: readonly Message[]
  exception: string | null
  /** Feedback in short texts: reactions and scores as they are, and how many there are of each other type. */
  feedback: readonly string[]
}

export function toTurn(call: Call): Turn {
  const { id, status, startedAt, latencyMs, tokens, cost } = toCallRow(call, [])
  return {
    id,
    status,
    startedAt,
    latencyMs,
    tokens,
    cost,
    name: displayNameOf(call),
    messages: spokenIn(call),
    exception: call.exception,
    feedback: feedbackOf(call.summary),
  }
}

/** What is new in the turn: the last message of its input, since those before it are turns themselves, and its output. */
function spokenIn(call: Call): Message[] {
  const { inputs, output } = call
  const conversation = readConversation(call)
  const said = conversation.input.findLast(({ role }) => role !== 'system')
  return [
    said ?? asMessage('input', inputs),
    ...(conversation.output.length > 0 ? conversation.output : output === null ? [] : [asMessage('output', output)]),
  ]
}

const asMessage = (role: string, value: unknown): Message => ({ role, parts: [{ type: 'text', text: onlyText(value) }] })

/** The text of a value that holds one text, without its name. */
function onlyText(value: unknown): string {
  const [only, ...others] = typeof value === 'object' && value !== null ? Object.values(value) : []
  return typeof only === 'string' && others.length === 0 ? only : toText(value)
}

function feedbackOf(summary: unknown): string[] {
  const rows = memberOf(memberOf(summary, 'weave'), 'feedback')
  return Array.isArray(rows) ? toFeedbackMarks(rows) : []
}
