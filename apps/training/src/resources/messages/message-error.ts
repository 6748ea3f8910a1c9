import type { MessageEvent } from '@heddle/core-api/types'
import { toShownError } from '../../engine/engine-failure.ts'

/** Names of errors in Anthropic's API. */
const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

export function toMessageError({ status, message }: { status: number; message: string }): { type: string; message: string } {
  return { type: errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error'), message }
}

/** The error of a stream that has begun. */
export function toMessageErrorEvent(error: unknown): MessageEvent {
  return { type: 'error', error: toMessageError(toShownError(error)) }
}
