import type { ChatCompletionChunk } from '@heddle/core-api/types'
import { createToolCallJoiner } from '@heddle/core-api/histories'

export interface AnswerToolCall {
  /** As the model's server numbers it; null where it does not. */
  index: number | null
  id: string
  name: string
  /** JSON text as it was sampled. */
  arguments: string
}

/** A model's answer so far. */
export interface Answer {
  text: string
  reasoning: string
  toolCalls: readonly AnswerToolCall[]
  finishReason: string | null
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null
}

export const emptyAnswer: Answer = { text: '', reasoning: '', toolCalls: [], finishReason: null, usage: null }

/** An answer with a further part of it. */
export function addChunk(answer: Answer, { choices, usage }: Pick<ChatCompletionChunk, 'choices' | 'usage'>): Answer {
  const [choice] = choices
  const { content, reasoning, reasoning_content, tool_calls } = choice?.delta ?? {}
  return {
    text: answer.text + (content ?? ''),
    reasoning: answer.reasoning + (reasoning ?? reasoning_content ?? ''),
    toolCalls: addToolCalls(answer.toolCalls, tool_calls ?? []),
    finishReason: choice?.finish_reason ?? answer.finishReason,
    usage: usage ?? answer.usage,
  }
}

type ToolCallPart = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>[number]

function addToolCalls(calls: readonly AnswerToolCall[], parts: readonly ToolCallPart[]): readonly AnswerToolCall[] {
  if (parts.length === 0) return calls
  const joiner = createToolCallJoiner(
    calls.map(({ index, id, name, arguments: given }) => ({ index, call: { id, type: 'function', function: { name, arguments: given } } })),
  )
  joiner.add(parts)
  return joiner.places().map(({ index, call: { id, function: called } }) => ({
    index,
    id: typeof id === 'string' ? id : '',
    name: called.name,
    arguments: called.arguments,
  }))
}

/** The answer as a message of the assistant. */
export function toAnswerMessage({ text, reasoning, toolCalls }: Answer): Record<string, unknown> {
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } })),
    }),
  }
}
