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
