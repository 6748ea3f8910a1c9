import { parseConversationRef } from '@heddle/core-api'
import type { FeedbackInput } from '@heddle/core-api/types'

type SpanIds = Pick<FeedbackInput, 'span_conversation_id' | 'span_trace_id'>

/** The spans that a feedback is about, or the problem of the given ids. */
export type SpanTarget = { status: 'ids'; ids: SpanIds } | { status: 'refused'; reason: string }

const turnTarget = /^weave:\/\/\/[^/]+\/[^/]+\/agent_turn\/([^/]+)\/?$/

/** Fills the ids of spans from the target of a feedback on an agent: a conversation, or a turn, which is a trace. */
export function fillSpanIds(weaveRef: string, given: SpanIds): SpanTarget {
  const { span_conversation_id, span_trace_id } = given
  const target = targetOf(weaveRef)
  if (target === undefined) return { status: 'ids', ids: { span_conversation_id, span_trace_id } }
  const { kind, field, id, written } = target
  if (kind === 'agent_conversation' && span_trace_id !== '')
    return { status: 'refused', reason: 'span_trace_id is not allowed where weave_ref is an agent_conversation' }
  if (given[field] !== '' && given[field] !== id && given[field] !== written) {
    return { status: 'refused', reason: `${field} ${JSON.stringify(given[field])} is not the ${kind} of weave_ref, ${JSON.stringify(id)}` }
  }
  return { status: 'ids', ids: { span_conversation_id, span_trace_id, [field]: id } }
}

interface AgentTarget {
  kind: 'agent_conversation' | 'agent_turn'
  field: keyof SpanIds
  id: string
  /** The id as written in the ref, which clients may repeat. */
  written: string
}

function targetOf(weaveRef: string): AgentTarget | undefined {
  const conversation = parseConversationRef(weaveRef)
  if (conversation !== undefined) {
    const written = weaveRef.replace(/\/$/, '').split('/').at(-1) ?? ''
    return { kind: 'agent_conversation', field: 'span_conversation_id', id: conversation.id, written }
  }
  const [, turn] = turnTarget.exec(weaveRef) ?? []
  return turn === undefined ? undefined : { kind: 'agent_turn', field: 'span_trace_id', id: turn, written: turn }
}
