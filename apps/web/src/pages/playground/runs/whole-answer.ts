import { memberOf, textMember } from '../../../components/members.ts'
import type { Answer, AnswerToolCall } from './answer.ts'

/** What a provider has answered; what it lacks is empty. */
export function toAnswer(response: unknown): Answer {
  const choices = memberOf(response, 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const message = memberOf(choice, 'message')
  const toolCalls = memberOf(message, 'tool_calls')
  return {
    text: textMember(message, 'content') || textMember(message, 'refusal'),
    reasoning: textMember(message, 'reasoning') || textMember(message, 'reasoning_content'),
    toolCalls: Array.isArray(toolCalls) ? toolCalls.map(toToolCall) : [],
    finishReason: textMember(choice, 'finish_reason') || null,
    usage: toUsage(memberOf(response, 'usage')),
  }
}

function toToolCall(call: unknown): AnswerToolCall {
  const called = memberOf(call, 'function')
  return { id: textMember(call, 'id'), name: textMember(called, 'name'), arguments: textMember(called, 'arguments') }
}

function toUsage(usage: unknown): Answer['usage'] {
  const [prompt_tokens, completion_tokens] = [Number(memberOf(usage, 'prompt_tokens')), Number(memberOf(usage, 'completion_tokens'))]
  if (!Number.isFinite(prompt_tokens) || !Number.isFinite(completion_tokens)) return null
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
