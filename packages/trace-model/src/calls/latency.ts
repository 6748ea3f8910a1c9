import { parseTimestamp } from '@heddle/core-api'

/** Milliseconds from start to end, to the microsecond; null while the call runs. The server counts whole ones, rounded down. */
export function latencyMsOf({ started_at, ended_at }: { started_at: string; ended_at?: string | null }): number | null {
  if (!ended_at) return null
  return ((parseTimestamp(ended_at) ?? 0) - (parseTimestamp(started_at) ?? 0)) / 1_000
}
