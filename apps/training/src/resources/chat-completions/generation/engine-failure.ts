import { type ApiError, isApiError } from '@heddle/core-api'
import { badRequest, notFound, unavailable } from '@heddle/core-api/internal'
import { EngineError } from '../../../engine/engine.ts'

const retryAfterSeconds = 5

/** The error that a caller gets for a failure of the engine. Damage and anything unexpected stay as they are: they are logged and are 500. */
export function toCallerError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  switch (error.kind) {
    case 'unknown-model':
      return notFound(error.message, { param: 'model' })
    case 'too-large':
    case 'unsupported':
      return badRequest(error.message)
    case 'unavailable':
      return unavailable(error.message, retryAfterSeconds)
    case 'damaged':
      return error
  }
}

/** The error of a stream that has begun, as chat clients read it. */
export function toErrorEvent(error: unknown): { error: { message: string; type: string; code: number } } {
  const known: ApiError | null = isApiError(error) && error.code !== 'internal' ? error : null
  const status = known?.status ?? 500
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { message: known?.message ?? 'Internal server error', type, code: status } }
}
