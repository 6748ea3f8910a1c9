import type { ApiError } from '@heddle/core-api'
import { contextLengthExceeded } from './resources/chat-completions/request/refuse.ts'
import { toMessageError } from './resources/messages/message-error.ts'

/** Operations for clients of OpenAI, of Anthropic, and of both. */
const openAi = /^training\.(chatCompletions|completions|fineTuningJobs|responses|servedModels|trainingFiles)\./
const anthropic = /^training\.messages\./
const both = /^training\.servedModels\./

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
  if (anthropic.test(operation)) return anthropicError(error.status, toAnthropicText(error, text), requestId)
  // The interface allows only texts in the location of an error.
  const detail = error.issues?.map((issue) => ({ ...issue, loc: issue.loc.map(String) })) ?? text
  if (!openAi.test(operation)) return { detail }
  const { code = error.status } = error.extra
  const body = { error: { ...openAiError(error.status, withWayOut(error, text), paramOf(error)), code }, detail }
  return both.test(operation) ? { type: 'error', ...body, request_id: requestId ?? null } : body
}

/** Clients of Anthropic look for the id of a request in another header than `x-request-id`. */
export const trainingRequestIdHeader = (operation: string): string | undefined => (anthropic.test(operation) ? 'request-id' : undefined)

const withWayOut = ({ code }: ApiError, text: string) =>
  code === 'unauthenticated' ? `${text}: send a key of this server as the client's API key; \`heddle keys create\` creates one` : text

/** Agents compact their conversation where the error of a long prompt begins as that of Anthropic. */
const toAnthropicText = (error: ApiError, text: string) =>
  error.extra['code'] === contextLengthExceeded ? `prompt is too long: ${text}` : withWayOut(error, text)

/** The field of the request, as in `messages[0].role`. */
function paramOf({ extra, issues }: ApiError): unknown {
  const [, ...path] = issues?.[0]?.loc ?? []
  const field = path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')
  return extra['param'] ?? (field || null)
}

export function openAiError(status: number, message: string, param: unknown = null): Record<string, unknown> {
  const type = openAiErrorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type, param, code: status }
}

export function anthropicError(status: number, message: string, requestId?: string): Record<string, unknown> {
  return { type: 'error', error: toMessageError({ status, message }), request_id: requestId ?? null }
}
