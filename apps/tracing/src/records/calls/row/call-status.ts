import type { Micros } from '@heddle/datastore'
import { type CallStatus, statusOfCall } from '@heddle/trace-model'

/** Status of a call as its row has it; the summary is JSON text, which is parsed only where it may count errors. */
export function callStatus({ summary, ...call }: { exception: string | null; ended_at: Micros | null; summary: string }): CallStatus {
  return statusOfCall({ ...call, summary: summary.includes('"status_counts"') ? JSON.parse(summary) : null })
}
