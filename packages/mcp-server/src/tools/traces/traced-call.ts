import { type Call, displayNameOf, parseTimestamp } from '@heddle/core-api'
import { valueAt } from '../pick-paths.ts'

/** Columns of a call without its payloads. */
export const traceColumns = ['id', 'trace_id', 'parent_id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'summary']

/** The part of a call that tools show. */
export type TracedCall = Pick<Call, 'id' | 'trace_id' | 'op_name' | 'started_at'> &
  Partial<Pick<Call, 'parent_id' | 'display_name' | 'ended_at' | 'exception' | 'summary' | 'inputs' | 'output' | 'attributes'>>

/** `success`, `error`, `running`, or `descendant_error` where only a call below has failed. */
export function statusOf({ summary, exception, ended_at }: TracedCall): string {
  const status = valueAt(summary, 'weave.status')
  return typeof status === 'string' ? status : exception ? 'error' : ended_at ? 'success' : 'running'
}

/** Milliseconds from start to end; null while the call is open. */
export function latencyOf({ started_at, ended_at }: TracedCall): number | null {
  return ended_at ? Math.round(((parseTimestamp(ended_at) ?? 0) - (parseTimestamp(started_at) ?? 0)) / 1_000) : null
}

export function nameOf(call: TracedCall): string {
  return displayNameOf(call)
}

/** Tokens over all models that the call itself reports; null when it reports none. */
export function tokensOf(call: TracedCall): number | null {
  const counts = usagesOf(call).map(([, usage]) => countOf(usage))
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

/** Usage by model, as the call reports it. */
export function usagesOf({ summary }: TracedCall): [model: string, usage: object][] {
  const usage = valueAt(summary, 'usage')
  return typeof usage === 'object' && usage !== null
    ? Object.entries(usage).filter(([, one]) => typeof one === 'object' && one !== null)
    : []
}

function countOf(usage: object): number {
  const count = (name: string) => {
    const value: unknown = Reflect.get(usage, name)
    return typeof value === 'number' ? value : 0
  }
  return count('total_tokens') || count('prompt_tokens') + count('input_tokens') + count('completion_tokens') + count('output_tokens')
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
