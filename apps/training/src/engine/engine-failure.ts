import { ApiError, isApiError } from '@heddle/core-api'
import { badRequest, notFound, unavailable } from '@heddle/core-api/internal'
import { StoreError } from '@heddle/datastore'
import { EngineError } from './engine.ts'

const retryAfterSeconds = 5

/** The weights that a request named. */
export interface RequestedWeights {
  /** As the request named it. */
  name: string | null
  /** The step of the checkpoint; null for a base model. */
  step: number | null
}

/**
 * Converts a failure of the engine into the caller's error. Damaged weights are the StoreError `damaged` that names them and the remedy: it is logged
 * with the engine's message, which names files of the server, and is 502. An unexpected error is returned unchanged: it is logged, and is 500.
 */
export function toCallerError(error: unknown, requested: RequestedWeights): unknown {
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
      return new StoreError('damaged', describeDamage(requested), { cause: error })
  }
}

function describeDamage({ name, step }: RequestedWeights): string {
  const model = JSON.stringify((name ?? '').slice(0, 200))
  if (step === null)
    return `the base model ${model} cannot be used; put its files back and start the server again (its log names what is wrong)`
  const wayOut = 'name another step of the model, train one from it again, or restore its files from a backup'
  return `step ${step} of the model ${model} cannot be used; ${wayOut} (the log of the server names what is wrong)`
}

/** The error of a stream that has begun, as chat clients read it. */
export function toErrorEvent(error: unknown): { error: { message: string; type: string; code: number } } {
  const { status, message } = toShownError(error)
  const type = status === 429 ? 'rate_limit_error' : status < 500 ? 'invalid_request_error' : 'server_error'
  return { error: { message, type, code: status } }
}

/** What users see of an error. */
export function toShownError(error: unknown): { status: number; message: string } {
  const known = toKnownError(error)
  return { status: known?.status ?? 500, message: known?.message ?? 'Internal server error' }
}

/** Null for an error whose words users do not see. */
function toKnownError(error: unknown): ApiError | null {
  if (error instanceof StoreError && error.kind === 'damaged')
    return new ApiError('store_failed', `Stored data is damaged: ${error.message}`)
  return isApiError(error) && error.code !== 'internal' ? error : null
}
