import type { TraceCall } from '../trace-queries.ts'

/** Milliseconds since 1970. */
export interface TimeSpan {
  startMs: number
  endMs: number
}

/** Milliseconds that a trace took: those of its root, as in lists of traces, or of the whole span if it has several. Null while a call runs. */
export function latencyOfTrace(calls: readonly TraceCall[], roots: readonly { call: TraceCall }[]): number | null {
  if (calls.some(({ status }) => status === 'running')) return null
  const root = roots.length === 1 ? roots[0]?.call : undefined
  if (root && root.endedAt !== null) return root.endedAt - root.startedAt
  const { startMs, endMs } = timeSpanOf(calls)
  return endMs - startMs
}

/** From the first start to the last end. A call that runs counts with its start: how long it will take is not known. */
export function timeSpanOf(calls: readonly TraceCall[]): TimeSpan {
  let [startMs, endMs] = [Infinity, -Infinity]
  for (const call of calls) {
    startMs = Math.min(startMs, call.startedAt)
    endMs = Math.max(endMs, call.endedAt ?? call.startedAt)
  }
  return calls.length === 0 ? { startMs: 0, endMs: 0 } : { startMs, endMs }
}
