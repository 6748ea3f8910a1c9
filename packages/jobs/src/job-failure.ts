import { type ErrorCode, isApiError } from '@heddle/core-api'
import { StoreError } from '@heddle/datastore'
import { jobLimits } from './job-limits.ts'

export interface JobFailureOptions {
  /** True: a further attempt would fail as well. */
  isPermanent?: boolean
  /** The next attempt starts no sooner, in milliseconds, at most an hour. Default: the usual delay. */
  retryAfterMs?: number
  cause?: unknown
}

/** Thrown by a handler to give the reason why its job failed. The message is shown to users of the project. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly isPermanent: boolean
  readonly retryAfterMs: number

  constructor(message: string, { isPermanent = false, retryAfterMs = 0, cause }: JobFailureOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.isPermanent = isPermanent
    this.retryAfterMs = retryAfterMs
  }
}

/** Refusals that the same job would meet again. */
const permanent: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'too_large',
  'invalid',
  'not_implemented',
])

/** How a thrown error counts. Words of unexpected errors may hold anything, so users see their type alone. */
export function toFailure(error: unknown): JobFailure {
  if (error instanceof JobFailure) return error
  if (isApiError(error)) {
    const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1000
    return new JobFailure(error.message, { isPermanent: permanent.has(error.code), retryAfterMs, cause: error })
  }
  const retryAfterMs = error instanceof StoreError ? error.retryAfterSeconds * 1000 : 0
  return new JobFailure(`the job failed unexpectedly (${nameOf(error)})`, { retryAfterMs, cause: error })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** The text as a row can hold it. */
export function storableError(text: string): string {
  return text.replaceAll('\0', '').slice(0, jobLimits.errorCharacters).toWellFormed()
}
