import type { JsonObject } from '@heddle/core-api'
import type { Choice } from '@heddle/core-api/histories'
import { idsOf, isJsonObject, objectsOf } from '../json-values.ts'
import { type Completion, isUnrecordable, type Unrecordable } from '../model-api.ts'
import { itemsToMessages } from './items-to-messages.ts'

/** The single choice of a response. Its reasoning is kept in `reasoning_items`. */
export function outputToChoice(response: JsonObject): Completion | Unrecordable {
  const output = objectsOf(response['output'])
  const messages = itemsToMessages(output.map(asOneMessage))
  if (isUnrecordable(messages)) return messages
  const [message, ...others] = messages
  if (others.length > 0) return { unrecordable: 'a response that is more than one message' }
  const model = typeof response['model'] === 'string' ? response['model'] : undefined
  const reason = finishReasonOf(response, message)
  const responseIds = idsOf(response, ...output)
  if (!message) return { choices: [], model, isComplete: false, responseIds }
  const reasoning = output.filter(({ type }) => type === 'reasoning')
  const choice: Choice = {
    index: 0,
    finish_reason: reason,
    message: { refusal: null, ...message },
    logprobs: logprobsOf(output),
    ...(reasoning.length > 0 && { reasoning_items: reasoning }),
  }
  return { choices: [choice], model, isComplete: reason !== null, responseIds }
}

/** Texts of one response are one message, whether the endpoint gave them ids or not. */
function asOneMessage(item: JsonObject): JsonObject {
  return typeof item['id'] === 'string' ? item : { ...item, id: '' }
}

function finishReasonOf({ status, incomplete_details: details }: JsonObject, message: JsonObject | undefined): string | null {
  if (status === 'completed') return objectsOf(message?.['tool_calls']).length > 0 ? 'tool_calls' : 'stop'
  if (status !== 'incomplete' || !isJsonObject(details)) return null
  if (details['reason'] === 'max_output_tokens') return 'length'
  return details['reason'] === 'content_filter' ? 'content_filter' : null
}

/** Log-probabilities of all texts in order; null if there are none. Endpoints return none for tool calls. */
function logprobsOf(output: readonly JsonObject[]): JsonObject | null {
  const entries = output.flatMap(({ content }) => objectsOf(content)).flatMap(({ logprobs }) => objectsOf(logprobs))
  return entries.length === 0 ? null : { content: entries, refusal: null }
}
