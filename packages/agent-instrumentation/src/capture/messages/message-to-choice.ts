import type { JsonObject } from '@heddle/core-api'
import type { Choice } from '@heddle/core-api/histories'
import { idsOf, isJsonObject, objectsOf } from '../json-values.ts'
import { type Completion, isUnrecordable, type Unrecordable } from '../model-api.ts'
import { ofAssistant } from './blocks-to-messages.ts'

/** Text of the arguments of a call as it was streamed, on its block. */
export const streamedInput = Symbol('heddle.streamed-input')

/** The single choice of a message. The training service adds log-probabilities and the ids of tokens. */
export function messageToChoice(message: JsonObject): Completion | Unrecordable {
  const blocks = objectsOf(message['content'])
  const said = ofAssistant(blocks, argumentsOf)
  if (isUnrecordable(said)) return said
  const model = typeof message['model'] === 'string' ? message['model'] : undefined
  const responseIds = idsOf(message)
  const reason = finishReasons[String(message['stop_reason'])] ?? null
  if (blocks.length === 0 && reason === null) return { choices: [], model, isComplete: false, responseIds }
  const { logprobs, stop_sequence: stopText } = message
  const choice: Choice = {
    index: 0,
    finish_reason: reason,
    ...(typeof stopText === 'string' && { stop_reason: stopText }),
    message: { refusal: null, ...said[0] },
    logprobs: isJsonObject(logprobs) ? logprobs : null,
  }
  for (const key of ['token_ids', 'prompt_token_ids']) if (Array.isArray(message[key])) choice[key] = message[key]
  return { choices: [choice], model, isComplete: reason !== null, responseIds }
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

function argumentsOf(block: JsonObject): string {
  const { [streamedInput]: text } = block as { [streamedInput]?: string }
  return text !== undefined && text !== '' ? text : JSON.stringify(block['input'] ?? {})
}
