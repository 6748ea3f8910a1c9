import type { Micros } from '@heddle/datastore'
import { type CallStatus, statusOfCall } from '@heddle/trace-model'

/** Status of a call as its row has it; the summary is JSON text, which is parsed only where it may count errors. */
export function callStatus(call: { exception: string | null; ended_at: Micros | null; summary: string }): CallStatus {
  const { exception, ended_at, summary } = call
  return statusOfCall({ exception, ended_at, summary: summary.includes('"status_counts"') ? JSON.parse(summary) : null })
}
