import { displayNameOf, type TraceTotal } from '@heddle/core-api'
import { formatDuration, formatTime } from '../terminal/measures.ts'
import { formatTable } from '../terminal/table.ts'
import { shorten, toTerminalText } from '../terminal/terminal-text.ts'
import { durationOf, startOf, type TracedCall } from './traced-call.ts'

const maxNameWidth = 48

/** One trace in a list: the root that came last, and counts over all calls. */
export interface TraceSummary {
  trace_id: string
  name: string
  started_at: string
  /** Microseconds of the root; null while it runs. */
  duration_us: number | null
  calls: number
  errors: number
  tokens: number | null
}

/** Lists the traces of `roots` once each, in their order, with what their calls come to. */
export function summarizeTraces({ roots, totals }: { roots: readonly TracedCall[]; totals: readonly TraceTotal[] }): TraceSummary[] {
  const byTrace = new Map(totals.map((total) => [total.trace_id, total]))
  const listed = new Map<string, TracedCall>()
  for (const root of roots) if (!listed.has(root.trace_id)) listed.set(root.trace_id, root)
  return [...listed.values()].map((root) => toSummary(root, byTrace.get(root.trace_id)))
}

/** A trace that was deleted meanwhile has no totals. */
function toSummary(root: TracedCall, total: TraceTotal | undefined): TraceSummary {
  return {
    trace_id: root.trace_id,
    name: displayNameOf(root),
    started_at: root.started_at,
    duration_us: durationOf(root) ?? null,
    calls: total?.calls ?? 0,
    errors: total?.errors ?? 0,
    tokens: total?.tokens || null,
  }
}

const head = ['STARTED (UTC)', 'NAME', 'TIME', 'CALLS', 'TOKENS', 'ERRORS', 'TRACE']

/** The traces as a table, one line each. */
export function formatTraces(traces: readonly TraceSummary[]): string {
  return formatTable({ head, rows: traces.map(toRow), right: ['TIME', 'CALLS', 'TOKENS', 'ERRORS'] })
}

/** A trace as one line of fixed columns, for streamed output. */
export function formatTraceLine(trace: TraceSummary): string {
  const [started = '', name = '', time = '', calls = '', tokens = '', errors = '', id = ''] = toRow(trace)
  const counts = [`${calls} calls`, ...(tokens ? [`${tokens} tokens`] : []), ...(errors ? [`${errors} errors`] : [])]
  return `${started}  ${time.padStart(8)}  ${name}  ${counts.join(', ')}  ${id}`
}

function toRow(trace: TraceSummary): string[] {
  return [
    formatTime(startOf(trace)),
    shorten(toTerminalText(trace.name), maxNameWidth),
    trace.duration_us === null ? 'running' : formatDuration(trace.duration_us),
    String(trace.calls),
    trace.tokens === null ? '' : String(trace.tokens),
    trace.errors === 0 ? '' : String(trace.errors),
    toTerminalText(trace.trace_id),
  ]
}
