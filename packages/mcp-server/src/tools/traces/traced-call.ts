import { type Call, displayNameOf } from '@heddle/core-api'
import { latencyMsOf, type ModelCounts, readUsage, statusOfCall, tokensOf as tokensOfUsage } from '@heddle/trace-model'
import { valueAt } from '../pick-paths.ts'

/** Columns of a call without its payloads. */
export const traceColumns = ['id', 'trace_id', 'parent_id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'summary']

/** The part of a call that tools show. */
export type TracedCall = Pick<Call, 'id' | 'trace_id' | 'op_name' | 'started_at'> &
  Partial<Pick<Call, 'parent_id' | 'display_name' | 'ended_at' | 'exception' | 'summary' | 'inputs' | 'output' | 'attributes'>>

/** `success`, `error`, `running`, or `descendant_error` where only a call below has failed. */
export function statusOf({ summary, exception, ended_at }: TracedCall): string {
  const status = valueAt(summary, 'weave.status')
  return typeof status === 'string' ? status : statusOfCall({ exception: exception ?? null, ended_at: ended_at ?? null })
}

/** Milliseconds from start to end; null while the call is open. */
export function latencyOf({ started_at, ended_at }: TracedCall): number | null {
  return latencyMsOf({ started_at, ended_at: ended_at ?? null })
}

export function nameOf(call: TracedCall): string {
  return displayNameOf(call)
}

/** Tokens over all models that the call itself reports; null when it reports none. */
export function tokensOf(call: TracedCall): number | null {
  return tokensOfUsage(usagesOf(call))
}

/** Usage by model, as the call reports it. */
export function usagesOf({ summary }: TracedCall): ModelCounts[] {
  return readUsage(summary)
}

/** Price of the tokens that the call itself reports; null where no model has one. Read with `include_costs`. */
export function costOf({ summary }: TracedCall): number | null {
  const costs = valueAt(summary, 'weave.costs')
  if (typeof costs !== 'object' || costs === null) return null
  const fields = Object.values(costs).flatMap((one) => (typeof one === 'object' && one !== null ? Object.entries(one as object) : []))
  return fields.reduce<number>((sum, [name, value]) => (name.endsWith('_total_cost') && typeof value === 'number' ? sum + value : sum), 0)
}

/** A payload in as many characters. */
export function shortPayload(value: unknown, max: number): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > max ? `${text.slice(0, max)}…` : text
}
