import { parseTimestamp } from '@heddle/core-api'
import type { ReportFacts } from '@heddle/trace-model'

/** The part of a recorded call that the command shows, and how it was reported where that was read. */
export interface TracedCall extends Partial<ReportFacts> {
  id: string
  trace_id: string
  parent_id?: string | null
  thread_id?: string | null
  op_name: string
  display_name?: string | null
  started_at: string
  ended_at?: string | null
  exception?: string | null
  summary?: unknown
  attributes?: unknown
}

/** Microseconds since 1970. */
export function startOf(call: Pick<TracedCall, 'started_at'>): number {
  return parseTimestamp(call.started_at) ?? 0
}

/** Microseconds from start to end; undefined while the call is open. */
export function durationOf(call: TracedCall): number | undefined {
  return call.ended_at ? (parseTimestamp(call.ended_at) ?? 0) - startOf(call) : undefined
}
