import { memberOf, numberText } from '@heddle/core-api/internal'

/** `descendant_error`: the call itself succeeded, and a call below it failed. */
export type CallStatus = 'success' | 'error' | 'running' | 'descendant_error'

/** The fields of a call that determine its status. */
interface StatusSource {
  exception?: string | null
  ended_at?: string | number | null
  /** Its summary, in which a tracing client counts the calls at and below it by status, including unsent ones. */
  summary?: unknown
}

/** Status of a call from its own fields: an error first, then whether it has ended, then errors that its client counted below it. */
export function statusOfCall({ exception, ended_at, summary }: StatusSource): CallStatus {
  if (exception) return 'error'
  if (ended_at === null || ended_at === undefined) return 'running'
  return countedErrors(summary) > 0 ? 'descendant_error' : 'success'
}

function countedErrors(summary: unknown): number {
  return Number(numberText(memberOf(memberOf(summary, 'status_counts'), 'error')) ?? 0)
}

/** Status of a call that knows whether a call below it failed: only a success is changed by it. */
export function statusWithDescendants(own: CallStatus, hasFailedBelow: boolean): CallStatus {
  return own === 'success' && hasFailedBelow ? 'descendant_error' : own
}

/** Whether a call failed, or its client counted errors below it: calls above it reflect both. */
export function hasFailedAtOrBelow(own: CallStatus): boolean {
  return own === 'error' || own === 'descendant_error'
}
