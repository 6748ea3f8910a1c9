import type { FeedbackInput } from '@heddle/core-api'

type SpanIds = Pick<FeedbackInput, 'span_conversation_id' | 'span_trace_id'>

/** The spans that a feedback is about, or what is wrong with the ids that it gives. */
export type SpanTarget = { status: 'ids'; ids: SpanIds } | { status: 'refused'; reason: string }

const agentTarget = /^weave:\/\/\/[^/]+\/[^/]+\/(agent_turn|agent_conversation)\/([^/]+)\/?$/

/** Fills the ids of spans from the target of a feedback on an agent: a conversation, or a turn, which is a trace. */
export function fillSpanIds(weaveRef: string, given: SpanIds): SpanTarget {
  const [, kind, id = ''] = agentTarget.exec(weaveRef) ?? []
  const { span_conversation_id, span_trace_id } = given
  if (kind === undefined) return { status: 'ids', ids: { span_conversation_id, span_trace_id } }
  if (kind === 'agent_conversation' && span_trace_id !== '')
    return { status: 'refused', reason: 'span_trace_id is not allowed where weave_ref is an agent_conversation' }
  const field = kind === 'agent_conversation' ? 'span_conversation_id' : 'span_trace_id'
  if (given[field] !== '' && given[field] !== id) {
    return { status: 'refused', reason: `${field} ${JSON.stringify(given[field])} is not the ${kind} of weave_ref, ${JSON.stringify(id)}` }
  }
  return { status: 'ids', ids: { span_conversation_id, span_trace_id, [field]: id } }
}
