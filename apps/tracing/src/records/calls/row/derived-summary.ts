import type { Micros } from '@heddle/datastore'
import { parseJson, stringifyJson, writeJson } from '@heddle/json'

/** Sources of the derived block of a call. */
export interface SummarySource {
  summary: string
  status: string
  started_at: Micros
  ended_at: Micros | null
  display_name: string
  op_short_name: string
}

const computedKeys = new Set(['status', 'trace_name', 'latency_ms', 'display_name'])

/**
 * The stored summary as JSON text with its block `weave` computed: status, latency, and the display name or else the trace name. Other keys that a
 * client sent in that block are kept. `additions` are further keys of the block, such as `costs`.
 */
export function derivedSummary(call: SummarySource, additions: Record<string, unknown> = {}): string {
  const block = { ...derivedBlock(call), ...additions }
  if (!call.summary.includes('"weave"')) return withMember(call.summary, 'weave', writeJson(block))
  const summary = parseJson(call.summary) as Record<string, unknown>
  const { weave: sent, ...others } = summary
  return stringifyJson({ ...others, weave: { ...keptKeys(sent), ...block } })
}

/** The computed part of `summary.weave`. */
function derivedBlock(call: SummarySource): Record<string, unknown> {
  const latency = call.ended_at === null ? {} : { latency_ms: Math.trunc((call.ended_at - call.started_at) / 1000) }
  const name = call.display_name === '' ? { trace_name: call.op_short_name } : { display_name: call.display_name }
  return { status: call.status, ...name, ...latency }
}

function keptKeys(sent: unknown): Record<string, unknown> {
  if (sent === null || typeof sent !== 'object' || Array.isArray(sent)) return {}
  return Object.fromEntries(Object.entries(sent).filter(([key]) => !computedKeys.has(key)))
}

/** Adds a member at the end of an object in JSON text that does not have it yet. `value` is JSON text too. */
export function withMember(object: string, key: string, value: string): string {
  const opening = object === '{}' ? '{' : `${object.slice(0, -1)},`
  return `${opening}${JSON.stringify(key)}:${value}}`
}
