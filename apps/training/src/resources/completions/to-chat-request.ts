import type { JsonObject } from '@heddle/core-api'
import type { CompletionRequest } from '@heddle/core-api/types'
import { refuse } from '../chat-completions/request/refuse.ts'

/** A text, or token ids. */
export type CompletionPrompt = string | readonly number[]

const maxCompletions = 128

/** @throws ApiError 400 for no prompt, and for too many completions */
export function listPrompts({ prompt, n }: CompletionRequest): CompletionPrompt[] {
  const prompts =
    typeof prompt === 'string' || typeof prompt[0] === 'number' ? [prompt as CompletionPrompt] : (prompt as CompletionPrompt[])
  if (prompts.length === 0) throw refuse('prompt', 'is empty; give a text or token ids')
  if (prompts.length * n > maxCompletions)
    throw refuse('prompt', `has ${prompts.length} prompts with ${n} completions each; at most ${maxCompletions} completions are possible`)
  return prompts
}

const passedOn = [
  'model',
  'n',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'stop',
  'stop_token_ids',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'min_tokens',
  'ignore_eos',
] as const

/** Whether only the prompt is wanted, as harnesses ask for its log-probabilities. */
export const wantsOnlyEcho = ({ echo, max_tokens }: CompletionRequest): boolean => echo && max_tokens === 0

/** Everything but the prompt. @throws ApiError 400 that names the field whose value cannot be served */
export function toChatRequest(request: CompletionRequest): JsonObject {
  if ((request.best_of ?? 1) > 1)
    throw refuse('best_of', `is ${request.best_of}; only 1 is supported: use n, and choose from the completions`)
  if (request.suffix) throw refuse('suffix', 'is not supported; leave it out')
  return {
    ...Object.fromEntries(passedOn.map((field) => [field, request[field]])),
    messages: [],
    // What reads the request expects at least one, which is then not sampled.
    max_tokens: wantsOnlyEcho(request) ? 1 : request.max_tokens,
    logprobs: request.logprobs !== null,
    top_logprobs: request.logprobs,
    return_tokens_as_token_ids: false,
  }
}
