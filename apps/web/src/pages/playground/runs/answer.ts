import type { ChatCompletionChunk } from '@heddle/core-api'

export interface AnswerToolCall {
  id: string
  name: string
  /** JSON text as it was sampled. */
  arguments: string
}

/** What a model has said so far. */
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
    toolCalls: (tool_calls ?? []).reduce(addToolCall, answer.toolCalls),
    finishReason: choice?.finish_reason ?? answer.finishReason,
    usage: usage ?? answer.usage,
  }
}

type ToolCallPart = NonNullable<ChatCompletionChunk['choices'][number]['delta']['tool_calls']>[number]

function addToolCall(calls: readonly AnswerToolCall[], { index, id, function: called }: ToolCallPart): readonly AnswerToolCall[] {
  const before = calls[index] ?? { id: '', name: '', arguments: '' }
  const after = {
    id: id ?? before.id,
    name: before.name + (called.name ?? ''),
    arguments: before.arguments + (called.arguments ?? ''),
  }
  return index < calls.length ? calls.with(index, after) : [...calls, after]
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
