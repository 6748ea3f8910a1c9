import { parseTimestamp } from '@heddle/core-api'

/** Milliseconds from start to end, rounded down as the server does; null while the call runs. */
export function latencyMsOf({ started_at, ended_at }: { started_at: string; ended_at?: string | null }): number | null {
  if (!ended_at) return null
  return Math.trunc(((parseTimestamp(ended_at) ?? 0) - (parseTimestamp(started_at) ?? 0)) / 1_000)
}
