import type { TraceCall } from '../trace-queries.ts'

/** Milliseconds since 1970. */
export interface TimeSpan {
  startMs: number
  endMs: number
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
