import type { OutputOf, tracing } from '@heddle/core-api'
import { countRequests, storedSpans } from './server-stats.ts'

export type LoadHistory = OutputOf<(typeof tracing)['service']['history']>

/** Load of the server in one part of a range. Null: it did not run then. */
export interface LoadPart {
  startedAt: string
  endedAt: string
  load: Load | null
}

export interface Load {
  spans: number
  refusedSpans: number
  answered: number
  invalid: number
  refused: number
  failed: number
  /** Null if there were no requests. */
  p95Ms: number | null
  running: number
  queued: number
  memoryBytes: number
  /** Null where all stores are on other machines. */
  freeBytes: number | null
}

const minuteMs = 60_000

/** All parts of a range that ends now, in order of time, including those in which the server did not run. */
export function loadParts({ parts, step_minutes }: LoadHistory, minutes: number, nowMs: number): LoadPart[] {
  const stepMs = step_minutes * minuteMs
  // The clocks of server and browser differ.
  const last = Math.max(Math.floor(nowMs / stepMs), ...parts.map(({ started_at }) => Math.floor(Date.parse(started_at) / stepMs)))
  const byStep = new Map(parts.map((part) => [Math.floor(Date.parse(part.started_at) / stepMs), part]))
  const count = Math.ceil(minutes / step_minutes)
  return Array.from({ length: count }, (_, at) => {
    const step = last - count + 1 + at
    const part = byStep.get(step)
    return {
      startedAt: new Date(step * stepMs).toISOString(),
      endedAt: new Date((step + 1) * stepMs).toISOString(),
      load: part === undefined ? null : toLoad(part),
    }
  })
}

function toLoad(part: LoadHistory['parts'][number]): Load {
  const { answered, rejected, refused, failed } = countRequests(part.by_status)
  return {
    spans: storedSpans(part.inserted_rows),
    refusedSpans: part.rejected_spans,
    answered,
    invalid: rejected,
    refused: refused.tooLarge + refused.tooMany + refused.unavailable,
    failed,
    p95Ms: part.request_p95_ms,
    running: part.jobs_running,
    queued: part.jobs_queued,
    memoryBytes: part.memory_bytes,
    freeBytes: part.free_bytes,
  }
}
