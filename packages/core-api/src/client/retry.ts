import type { ApiError } from '../errors.ts'
import type { Route } from '../routes/route.ts'
import { onAbort } from './on-abort.ts'

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
  /** No retry if the server requests a longer wait than this. */
  maxRetryAfterMs: number
  /** A number from 0 to below 1. */
  random: () => number
}

/**
 * Milliseconds before the next attempt: exponential backoff with full jitter, or slightly more than the server requests. Undefined if there is no
 * further attempt.
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

/** True when the request is idempotent, so that it can be retried although the first attempt may have been carried out. */
export function isRepeatable(route: Route, input: unknown): boolean {
  if (route.repeat === undefined) return true
  return route.repeat !== 'adds' && hasIds(input, route.repeat.idAt)
}

function hasIds(value: unknown, path: readonly string[]): boolean {
  const [step, ...rest] = path
  if (step === undefined) return typeof value === 'string' && value !== ''
  if (step === '*') return !Array.isArray(value) || value.every((item) => hasIds(item, rest))
  // Where the parent is absent there is nothing that needs an id.
  if (typeof value !== 'object' || value === null) return true
  return hasIds((value as Record<string, unknown>)[step], rest)
}

/** Waits. Rejects with the signal's reason when it fires first. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      leave()
      resolve()
    }, delayMs)
    const leave = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    })
  })
}

/** Milliseconds to wait, from `Retry-After` in seconds or as a date. Undefined if the header is absent or unreadable. */
export function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const seconds = Number(text)
  const delayMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1000
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined
}
