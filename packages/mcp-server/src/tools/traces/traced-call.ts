import { displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json/exact'
import { latencyMsOf, statusOfCall } from '@heddle/trace-model'
import { valueAt } from '@heddle/core-api/internal'

/** Columns of a call without its payloads. */
export const traceColumns = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
  'summary',
]

/** The part of a call that tools show. */
export type TracedCall = Pick<Call, 'id' | 'trace_id' | 'op_name' | 'started_at'> &
  Partial<
    Pick<Call, 'parent_id' | 'thread_id' | 'display_name' | 'ended_at' | 'exception' | 'summary' | 'inputs' | 'output' | 'attributes'>
  >

/** `success`, `error`, `running`, or `descendant_error` where only a call below has failed. */
export function statusOf({ summary, exception, ended_at }: TracedCall): string {
  const status = valueAt(summary, 'weave.status')
  return typeof status === 'string' ? status : statusOfCall({ exception: exception ?? null, ended_at: ended_at ?? null, summary })
}

/** Milliseconds from start to end; null while the call is open. */
export function latencyOf({ started_at, ended_at }: TracedCall): number | null {
  return latencyMsOf({ started_at, ended_at: ended_at ?? null })
}

export function nameOf(call: TracedCall): string {
  return displayNameOf(call)
}

/** A payload in as many characters. */
export function shortPayload(value: unknown, max: number): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : stringifyJson(value)
  return text.length > max ? `${text.slice(0, max)}…` : text
}
