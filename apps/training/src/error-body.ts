import type { ApiError } from '@heddle/core-api'
import { toMessageError } from './resources/messages/message-error.ts'

/** Operations for clients of OpenAI, and of Anthropic: each of their resources, and a list that both read as OpenAI's. */
const openAi = /^training\.(chatCompletions|completions|fineTuningJobs|responses|servedModels|trainingFiles)\./
const anthropic = /^training\.messages\./

/** Names of errors in OpenAI's API. */
const openAiErrorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** The body of an error of this service: `detail`, and for clients of model providers what these show. */
export function trainingErrorBody(error: ApiError, operation: string, requestId?: string): Record<string, unknown> {
  const text = error.code === 'internal' ? 'Internal server error' : error.message
  if (anthropic.test(operation)) return anthropicError(error.status, text, requestId)
  // The interface allows only texts in the location of an error.
  const detail = error.issues?.map((issue) => ({ ...issue, loc: issue.loc.map(String) })) ?? text
  return openAi.test(operation) ? { error: openAiError(error.status, text, error.extra['param']), detail } : { detail }
}

export function openAiError(status: number, message: string, param: unknown = null): Record<string, unknown> {
  const type = openAiErrorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type, param, code: status }
}

export function anthropicError(status: number, message: string, requestId?: string): Record<string, unknown> {
  return { type: 'error', error: toMessageError({ status, message }), request_id: requestId ?? null }
}
