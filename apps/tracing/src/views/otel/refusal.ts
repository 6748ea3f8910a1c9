import { isApiError } from '@heddle/core-api'
import { DecodeError } from '../../otlp/decode/decode-error.ts'

/** Why an export request cannot be stored. Plain data: it crosses threads. */
export interface Refusal {
  status: 'refused'
  code: 'bad_request' | 'too_large'
  reason: string
}

/** The problem of a request that could not be prepared. @throws the error if the request is not at fault */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof DecodeError)
    return { status: 'refused', code: error.failure === 'malformed' ? 'bad_request' : 'too_large', reason: error.message }
  if (isApiError(error)) return { status: 'refused', code: error.code === 'too_large' ? 'too_large' : 'bad_request', reason: error.message }
  throw error
}
