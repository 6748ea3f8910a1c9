import type { ChatCompletion, MessageBlock, ModelMessage } from '@heddle/core-api/types'
import { parseExactly } from '../../json-text/parse-exactly.ts'

type Choice = ChatCompletion['choices'][number]

/** The message that a completion with one choice is. */
export function toMessage({ id, model, choices, usage }: ChatCompletion): ModelMessage {
  const choice = choices[0]!
  return {
    ...emptyMessage({ id, model, promptTokens: usage.prompt_tokens }),
    content: toBlocks(choice.message),
    ...toStop(choice),
    usage: toMessageUsage({ prompt: usage.prompt_tokens, completion: usage.completion_tokens }),
    ...sampledTokens(choice),
  }
}

type SampledTokens = Pick<ModelMessage, 'token_ids' | 'prompt_token_ids' | 'logprobs'>

/** Nothing where the request did not ask for the ids of tokens. */
function sampledTokens({ token_ids, prompt_token_ids, logprobs }: Choice): SampledTokens {
  return token_ids && prompt_token_ids && logprobs ? { token_ids, prompt_token_ids, logprobs } : {}
}

/** A message before its first token. */
export function emptyMessage({ id, model, promptTokens }: { id: string; model: string; promptTokens: number }): ModelMessage {
  return {
    id: id.replace(/^chatcmpl-/, 'msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: toMessageUsage({ prompt: promptTokens, completion: 0 }),
  }
}

export function toMessageUsage({ prompt, completion }: { prompt: number; completion: number }): ModelMessage['usage'] {
  return { input_tokens: prompt, output_tokens: completion, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
}

const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use' } as const

/** Why it ended. Calls are to be run even if a stop text ended them. */
export function toStop({ finish_reason, stop_reason }: Pick<Choice, 'finish_reason' | 'stop_reason'>): {
  stop_reason: NonNullable<ModelMessage['stop_reason']>
  stop_sequence: string | null
} {
  const stopText = finish_reason === 'stop' && typeof stop_reason === 'string' ? stop_reason : null
  return { stop_reason: stopText === null ? stopReasons[finish_reason] : 'stop_sequence', stop_sequence: stopText }
}

function toBlocks({ content, reasoning, tool_calls }: Choice['message']): MessageBlock[] {
  return [
    ...(reasoning ? [{ type: 'thinking' as const, thinking: reasoning, signature: '' }] : []),
    ...(content ? [{ type: 'text' as const, text: content, citations: null }] : []),
    ...(tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
      type: 'tool_use' as const,
      id,
      name,
      // Numbers keep the form in which they were sampled.
      input: parseExactly(text) as Record<string, unknown>,
    })),
  ]
}
