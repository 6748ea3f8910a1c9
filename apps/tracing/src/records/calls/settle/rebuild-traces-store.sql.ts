import { type ScopedAnalytical, serverChange, sql, type TouchedTrace } from '@heddle/datastore'
import { settleAgain } from './settle-traces-store.sql.ts'

export interface RebuildOptions {
  analytical: ScopedAnalytical
  /** Called after some traces, with how many are done of how many. */
  onProgress?: (done: number, total: number) => void
  /** Stops between two parts. */
  signal?: AbortSignal
}

/** Traces that are settled at a time. */
const partSize = 2_000
const rebuildSeconds = 3_600

interface FoundTrace {
  project_id: string
  trace_id: string
  from_micros: number
  until_micros: number
}

/**
 * Settles all traces of the store again, and ends those without calls: after an update from a version without these tables, or when they were lost.
 * Reads see the existing rows meanwhile. Resolves to the number of traces.
 */
export async function rebuildTraces({ analytical, onProgress = () => undefined, signal }: RebuildOptions): Promise<number> {
  const own = analytical.of(serverChange)
  const found: TouchedTrace[] = []
  for await (const block of own.blocks<FoundTrace>(allTraces, { maxSeconds: rebuildSeconds })) {
    for (const { from_micros, until_micros, ...trace } of block) found.push({ ...trace, from: from_micros, until: until_micros })
  }
  const store = { ...own, insert: analytical.insert, isShared: false }
  for (let at = 0; at < found.length; at += partSize) {
    signal?.throwIfAborted()
    await settleAgain(store, found.slice(at, at + partSize))
    onProgress(Math.min(at + partSize, found.length), found.length)
  }
  return found.length
}

/** Traces of calls, and traces settled before, whose calls may have been deleted. Ordered by time, so that those of one part are read together. */
const allTraces = sql`SELECT project_id, trace_id, toFloat64(toUnixTimestamp64Micro(min(first_start))) AS from_micros,
    toFloat64(toUnixTimestamp64Micro(max(last_start))) AS until_micros
  FROM (
    SELECT toString(project_id) AS project_id, trace_id, started_at AS first_start, started_at AS last_start FROM heddle.calls WHERE trace_id != ''
    UNION ALL SELECT toString(project_id) AS project_id, trace_id, started_at AS first_start, last_start_at AS last_start FROM heddle.traces
  ) GROUP BY project_id, trace_id ORDER BY project_id, from_micros`
