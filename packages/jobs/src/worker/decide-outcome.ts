import type { Micros, Timing } from '@heddle/datastore'
import { isApiError } from '@heddle/core-api'
import type { AbortReason } from '../handler.ts'
import { JobFailure, storableError, toFailure } from '../job-failure.ts'
import { boundedJson, jobLimits } from '../job-limits.ts'
import type { Outcome } from '../store/lease.ts'
import { retryDelay } from '../retry-delay.ts'

/** How a handler ended, or that it has not within the limit after its abort. */
export type HandlerEnd = { status: 'returned'; result: unknown } | { status: 'threw'; error: unknown } | { status: 'running' }

export interface OutcomeInput {
  end: HandlerEnd
  /** Undefined when the signal was not aborted. */
  aborted: AbortReason | undefined
  attempt: number
  maxAttempts: number
  now: Micros
}

/** Decides the outcome of a job whose handler ended. Its result counts even after an abort. Undefined: no outcome, since its lease is lost. */
export function decideOutcome(input: OutcomeInput, timing: Pick<Timing, 'random'>): Outcome | undefined {
  const { end, aborted } = input
  if (end.status === 'returned') return outcomeOfResult(end.result)
  if (aborted === 'lease lost') return undefined
  if (aborted === 'cancelled') return { state: 'cancelled' }
  if (aborted === 'stopping') return { state: 'queued', runAfter: null, error: null, isRefunded: true }
  if (aborted === 'time limit') return failedOutcome(new JobFailure('the job ran longer than its time limit'), input, timing)
  return failedOutcome(end.status === 'threw' ? toFailure(end.error) : new JobFailure('the job did not end'), input, timing)
}

type Attempts = Pick<OutcomeInput, 'attempt' | 'maxAttempts' | 'now'>

/** What becomes of a job after an attempt that failed. */
export function failedOutcome(failure: JobFailure, { attempt, maxAttempts, now }: Attempts, timing: Pick<Timing, 'random'>): Outcome {
  const error = storableError(failure.message)
  if (failure.isPermanent || attempt >= maxAttempts) return { state: 'failed', error }
  const delayMs = retryDelay({ attempt, askedMs: failure.retryAfterMs }, timing)
  return { state: 'queued', runAfter: now + delayMs * 1000, error, isRefunded: false }
}

/** A result that cannot be stored would not become so by another attempt. */
function outcomeOfResult(result: unknown): Outcome {
  try {
    return { state: 'succeeded', result: boundedJson('result of a job', result ?? null, jobLimits.resultBytes) }
  } catch (error) {
    const reason = isApiError(error) ? error.message : 'the result of the job cannot be written as JSON'
    return { state: 'failed', error: storableError(reason) }
  }
}
