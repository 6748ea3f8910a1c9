import { type ApiError } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'

/** 400 for a field of a request, which is named outside the message as well. */
export function refuse(field: string, reason: string): ApiError {
  return badRequest(`${field} ${reason}`, { param: field })
}

interface LongPrompt {
  field: 'messages' | 'prompt'
  /** How many, or at least how many. */
  tokens: string
  model: string
  contextLength: number
}

/** 400 for a prompt that leaves no token for a completion, with the code by which clients of OpenAI recognize it. */
export function refuseLongPrompt({ field, tokens, model, contextLength }: LongPrompt): ApiError {
  const message = `${field}: ${tokens} tokens; the context of ${model} is ${contextLength} tokens for prompt and completion together: send less`
  return badRequest(message, { param: field, code: contextLengthExceeded })
}

export const contextLengthExceeded = 'context_length_exceeded'
