import { isApiError } from '@heddle/core-api'
import { type RequestedWeights, toCallerError, toShownError } from '../../engine/engine-failure.ts'
import type { RequestOutcome, TinkerResult } from './sessions/pending-results.ts'

/** Called with errors that are not the caller's. */
export type Report = (error: unknown) => void

/** Does not reject: a failure is a result as well, in the words of the caller's error. */
export async function settle(work: () => Promise<TinkerResult>, requested: RequestedWeights, report: Report): Promise<RequestOutcome> {
  try {
    return { kind: 'result', result: await work() }
  } catch (error) {
    const known = toCallerError(error, requested)
    const { status, message } = toShownError(known)
    if (!isApiError(known)) report(known)
    return { kind: 'failed', message, category: status < 500 ? 'user' : 'server' }
  }
}

/** A result that has no message. */
export function jsonResult(value: object): TinkerResult {
  return { toJson: () => value, toMessage: null, bytes: 0 }
}
