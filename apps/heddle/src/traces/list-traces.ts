import { displayNameOf } from '@heddle/core-api'
import type { TraceTotal } from '@heddle/core-api/types'
import { costSourceText, statusOfCall } from '@heddle/trace-model'
import type { Clock } from '../terminal/clock.ts'
import { formatDuration } from '../terminal/measures.ts'
import { numberText } from '../training/number-text.ts'
import { formatTable } from '../terminal/table.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { durationOf, startOf, type TracedCall } from './traced-call.ts'

const maxNameWidth = 48

/** One trace in a list: its root, and what its calls come to together. */
export interface TraceSummary {
  trace_id: string
  /** Null where the trace was deleted while it was read. */
  root_call_id: string | null
  /** The root names a parent that is not in the trace. */
  is_parent_missing: boolean
  /** That of the root. */
  name: string
  status: TraceTotal['status']
  thread_id: string | null
  started_at: string
  /** Microseconds of the root; null while it runs. */
  duration_us: number | null
  calls: number
  errors: number
  tokens: number | null
  /** Null without any known price. */
  cost: number | null
  /** Names of the prices of models that have none under their own name. */
  priced_as: readonly string[]
  /** Uses of models without a price whose cost is the one that their calls carry. */
  reported_uses: number
  /** More calls have come, which the counts do not have yet. */
  is_behind: boolean
}

/** Lists the traces of `roots` once each, in their order, under their own root where it is among these. */
export function summarizeTraces({ roots, totals }: { roots: readonly TracedCall[]; totals: readonly TraceTotal[] }): TraceSummary[] {
  const byTrace = new Map(totals.map((total) => [total.trace_id, total]))
  const listed = new Map<string, TracedCall>()
  for (const root of roots) {
    const isOwn = byTrace.get(root.trace_id)?.root_call_id === root.id
    if (isOwn || !listed.has(root.trace_id)) listed.set(root.trace_id, root)
  }
  return [...listed.values()].map((root) => toSummary(root, byTrace.get(root.trace_id)))
}

/** A trace that was deleted meanwhile has no totals. */
function toSummary(root: TracedCall, total: TraceTotal | undefined): TraceSummary {
  return {
    trace_id: root.trace_id,
    root_call_id: total?.root_call_id ?? null,
    is_parent_missing: total?.is_parent_missing ?? false,
    name: displayNameOf(root),
    status: total?.status ?? statusOfCall(root),
    thread_id: total?.thread_id ?? null,
    started_at: root.started_at,
    duration_us: durationOf(root) ?? null,
    calls: total?.calls ?? 0,
    errors: total?.errors ?? 0,
    tokens: total?.tokens ?? null,
    cost: total?.cost ?? null,
    priced_as: total?.priced_as ?? [],
    reported_uses: total?.reported_uses ?? 0,
    is_behind: total?.is_behind ?? false,
  }
}

const columns = ['NAME', 'TIME', 'CALLS', 'TOKENS', 'COST', 'ERRORS', 'TRACE']

/** The traces as a table, one line each, and below it where the costs are from that are marked. */
export function formatTraces(traces: readonly TraceSummary[], clock: Clock): string {
  const head = [`STARTED (${clock.zone})`, ...columns]
  const right = ['TIME', 'CALLS', 'TOKENS', 'COST', 'ERRORS']
  const table = formatTable({ head, rows: traces.map((trace) => toRow(trace, clock)), right })
  const source = costSourceText({
    pricedAs: [...new Set(traces.flatMap((trace) => trace.priced_as))].toSorted(),
    reported: traces.reduce((sum, trace) => sum + trace.reported_uses, 0),
  })
  return source === undefined ? table : `${table}\n\n* ${toTerminalText(source)}`
}

/** A trace as one line of fixed columns, for streamed output. */
export function formatTraceLine(trace: TraceSummary, clock: Clock): string {
  const [started = '', name = '', time = '', calls = '', tokens = '', cost = '', errors = '', id = ''] = toRow(trace, clock)
  const counts = [
    `${calls} calls`,
    ...(tokens ? [`${tokens} tokens`] : []),
    ...(cost ? [`cost ${cost}`] : []),
    ...(errors ? [`${errors} errors`] : []),
  ]
  return `${started}  ${time.padStart(8)}  ${name}  ${counts.join(', ')}  ${id}`
}

/** Whether the cost is not all at the prices of the names of its models. */
const isMarked = ({ priced_as, reported_uses }: TraceSummary) => priced_as.length > 0 || reported_uses > 0

function toRow(trace: TraceSummary, clock: Clock): string[] {
  return [
    clock.text(startOf(trace)),
    `${shorten(toTerminalText(trace.name), maxNameWidth)}${trace.is_parent_missing ? ' (parent missing)' : ''}`,
    trace.duration_us === null ? 'running' : formatDuration(trace.duration_us),
    `${trace.is_behind ? '>' : ''}${trace.calls}`,
    trace.tokens === null ? '' : String(trace.tokens),
    trace.cost === null ? '' : `${numberText(trace.cost)}${isMarked(trace) ? '*' : ''}`,
    trace.errors === 0 ? '' : String(trace.errors),
    toTerminalText(trace.trace_id),
  ]
}
