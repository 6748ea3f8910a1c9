import { createToolCallJoiner } from '@heddle/core-api/histories'
import type { ChatCompletionChunk } from '@heddle/core-api/types'
import type { Answer, AnswerToolCall } from './answer.ts'

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
