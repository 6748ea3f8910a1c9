import type { ApiError } from '@heddle/core-api'

const chat = 'training.chatCompletions.create'

/** Chat clients' names for errors. */
const chatErrorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** The body of an error of this service: `detail`, and for chat completions also `error`, which their clients show. */
export function trainingErrorBody(error: ApiError, operation: string): Record<string, unknown> {
  const text = error.code === 'internal' ? 'Internal server error' : error.message
  // The interface allows only texts in the location of an error.
  const detail = error.issues?.map((issue) => ({ ...issue, loc: issue.loc.map(String) })) ?? text
  return operation === chat ? { error: chatError(error, text), detail } : { detail }
}

function chatError({ status, extra }: ApiError, message: string): Record<string, unknown> {
  const type = chatErrorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
  return { message, type, param: extra['param'] ?? null, code: status }
}
