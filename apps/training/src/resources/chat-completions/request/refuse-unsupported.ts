import type { ChatCompletionRequest } from '@heddle/core-api/types'
import { refuse } from './refuse.ts'

const unsupported = [
  'prompt_logprobs',
  'truncate_prompt_tokens',
  'structured_outputs',
  'documents',
  'mm_processor_kwargs',
  'allowed_token_ids',
  'bad_words',
] as const

const runningCode = ['logits_processors', 'chat_template'] as const

const efforts = ['low', 'medium', 'high']

/** @throws ApiError 400 that names the first field whose value would change the output in a way that is not implemented */
export function refuseUnsupported(request: ChatCompletionRequest): void {
  for (const field of unsupported) if (isSet(request[field])) throw refuse(field, 'is not supported; leave it out')
  for (const field of runningCode) {
    if (isSet(request[field])) throw refuse(field, 'is not allowed, since it would run code of the caller on the server; leave it out')
  }
  if (request.echo) throw refuse('echo', 'is not supported; the prompt is what was sent')
  if (request.add_generation_prompt && request.continue_final_message) {
    throw refuse('continue_final_message', 'and add_generation_prompt exclude each other; set add_generation_prompt to false')
  }
  const effort = request.reasoning_effort
  if (effort !== null && !efforts.includes(effort))
    throw refuse('reasoning_effort', `is ${JSON.stringify(effort.slice(0, 100))}; it may be ${efforts.join(', ')}`)
}

function isSet(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
}
