import type { Micros } from '@heddle/datastore'

export type CallStatus = 'success' | 'error' | 'running' | 'descendant_error'

/** Status of a call: its own error first, then whether it has ended, then errors that its client counted below it in the summary (JSON text). */
export function callStatus(call: { exception: string | null; ended_at: Micros | null; summary: string }): CallStatus {
  if (call.exception !== null && call.exception !== '') return 'error'
  if (call.ended_at === null) return 'running'
  return hasErrorsBelow(call.summary) ? 'descendant_error' : 'success'
}

function hasErrorsBelow(summary: string): boolean {
  if (!summary.includes('"status_counts"')) return false
  const { status_counts } = JSON.parse(summary) as { status_counts?: { error?: number } | null }
  return (status_counts?.error ?? 0) > 0
}
