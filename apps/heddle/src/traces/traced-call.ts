import { parseTimestamp } from '@heddle/core-api'
import { memberOf } from '@heddle/core-api/internal'

/** The part of a recorded call that the command shows. */
export interface TracedCall {
  id: string
  trace_id: string
  parent_id?: string | null
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

/** Tokens in and out over all models that the call itself reports; undefined when it reports none. */
export function ownTokensOf({ summary }: TracedCall): number | undefined {
  const usage = memberOf(summary, 'usage')
  if (typeof usage !== 'object' || usage === null) return undefined
  const counts = Object.values(usage).map(totalOf)
  return counts.some((count) => count !== undefined) ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) : undefined
}

function totalOf(entry: unknown): number | undefined {
  const total = countOf(entry, 'total_tokens')
  if (total !== undefined) return total
  const sent = countOf(entry, 'prompt_tokens') ?? countOf(entry, 'input_tokens')
  const received = countOf(entry, 'completion_tokens') ?? countOf(entry, 'output_tokens')
  return sent === undefined && received === undefined ? undefined : (sent ?? 0) + (received ?? 0)
}

function countOf(entry: unknown, name: string): number | undefined {
  const value = memberOf(entry, name)
  return typeof value === 'number' ? value : undefined
}
