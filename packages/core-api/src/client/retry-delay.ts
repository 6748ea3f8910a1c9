import type { ApiError } from '../errors.ts'

/**
 * Whether a failed request can be retried. `refused`: the server did not carry it out and may do so later. `unclear`: it may have been
 * carried out, so only idempotent requests are retried. `final`: a retry would fail the same way.
 */
export type RetryClass = 'refused' | 'unclear' | 'final'

export interface FailedAttempt {
  error: ApiError
  retryClass: RetryClass
  /** Attempts made so far, at least 1. */
  attempts: number
  /** True when the request is idempotent. */
  repeatable: boolean
}

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number
  /** Upper end of the first delay; it doubles with every attempt, up to `maxDelayMs`. */
  baseDelayMs: number
  maxDelayMs: number
  /** No retry when the server asks for a longer wait than this. */
  maxRetryAfterMs: number
  /** A number from 0 to below 1. */
  random: () => number
}

/**
 * Milliseconds before the next attempt: exponential backoff with full jitter, or a little more than the server asks for.
 * Undefined when there is no further attempt.
 */
export function findRetryDelay(attempt: FailedAttempt, policy: RetryPolicy): number | undefined {
  const { error, retryClass, attempts, repeatable } = attempt
  if (retryClass === 'final' || attempts > policy.retries || (retryClass === 'unclear' && !repeatable)) return undefined
  const spreadMs = policy.random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempts - 1))
  if (error.retryAfterSeconds === undefined) return spreadMs
  const askedMs = error.retryAfterSeconds * 1000
  return askedMs > policy.maxRetryAfterMs ? undefined : askedMs + spreadMs
}

/** Whether the request of a failed response can be retried. `x-should-retry` wins over the status. */
export function toRetryClass(response: { status: number; headers: Headers }): RetryClass {
  const { status } = response
  const advice = response.headers.get('x-should-retry')
  if (advice === 'false') return 'final'
  if (status === 408 || status === 429 || status === 503) return 'refused'
  return advice === 'true' || (status >= 500 && status !== 501) ? 'unclear' : 'final'
}
