/** One bucket of statistics over time, as the API answers it. */
export type StatsBucket = Record<string, unknown>

/** A number of a bucket; null where it has none. */
export function numberAt(bucket: StatsBucket, name: string): number | null {
  const value = bucket[name]
  return typeof value === 'number' ? value : null
}

/** The time of a bucket of so many seconds. */
export function timesOf(bucket: StatsBucket, seconds: number): { startedAt: string; endedAt: string } {
  const startedAt = String(bucket['timestamp'])
  const endedMs = Date.parse(startedAt) + seconds * 1_000
  return { startedAt, endedAt: Number.isNaN(endedMs) ? startedAt : new Date(endedMs).toISOString() }
}
