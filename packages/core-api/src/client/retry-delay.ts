import type { ApiError } from '../errors.ts'

/**
 * What is known of a request that failed. `refused`: the server did not carry it out and may do so later. `unclear`: it may have been carried
 * out. `final`: asking again gives the same answer.
 */
export type Fate = 'refused' | 'unclear' | 'final'

export interface FailedAttempt {
  error: ApiError
  fate: Fate
  /** Attempts made so far, at least 1. */
  attempts: number
  /** True when sending the request twice does no harm. */
  repeatable: boolean
}

export interface RetryPolicy {
  /** Attempts after the first. */
  retries: number
  /** Upper end of the first delay; it doubles with every attempt, up to `maxDelayMs`. */
  baseDelayMs: number
  maxDelayMs: number
  /** A server that asks for a longer wait than this is not asked again. */
  maxRetryAfterMs: number
  /** A number from 0 to below 1. */
  random: () => number
}

/**
 * Milliseconds to wait before the next attempt: a random part of a doubling limit, or a little more than the server asks for.
 * Undefined when there is to be no further attempt.
 */
export function findRetryDelay(attempt: FailedAttempt, policy: RetryPolicy): number | undefined {
  const { error, fate, attempts, repeatable } = attempt
  if (fate === 'final' || attempts > policy.retries || (fate === 'unclear' && !repeatable)) return undefined
  const spreadMs = policy.random() * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (attempts - 1))
  if (error.retryAfterSeconds === undefined) return spreadMs
  const askedMs = error.retryAfterSeconds * 1000
  return askedMs > policy.maxRetryAfterMs ? undefined : askedMs + spreadMs
}

/** What an answer that is no success says of its request. `x-should-retry` wins over the status. */
export function toFate(response: { status: number; headers: Headers }): Fate {
  const { status } = response
  const advice = response.headers.get('x-should-retry')
  if (advice === 'false') return 'final'
  if (status === 408 || status === 429 || status === 503) return 'refused'
  return advice === 'true' || (status >= 500 && status !== 501) ? 'unclear' : 'final'
}
