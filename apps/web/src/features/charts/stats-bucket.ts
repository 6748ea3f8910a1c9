/** One bucket of statistics over time, as the API answers it. */
export type StatsBucket = Record<string, unknown>

/** A number of a bucket; null where it has none. */
export function numberAt(bucket: StatsBucket, name: string): number | null {
  const value = bucket[name]
  return typeof value === 'number' ? value : null
}

export interface BucketGrid {
  /** Seconds of a bucket. Where the clock of the zone changes, some are longer or shorter. */
  granularity: number
  /** End of the range. Default: that of the last bucket. */
  end?: string
}

/** Returns the start and end of a bucket, given buckets ordered by time: each ends where the next one starts, and the last not before the range. */
export function timesOf(buckets: readonly StatsBucket[], { granularity, end = '' }: BucketGrid) {
  const starts = [...new Set(buckets.map(startOf))]
  const next = new Map(starts.map((start, index) => [start, starts[index + 1]]))
  return (bucket: StatsBucket): { startedAt: string; endedAt: string } => {
    const startedAt = startOf(bucket)
    const lastMs = Math.max(Date.parse(startedAt) + granularity * 1_000, Date.parse(end) || 0)
    const endedMs = Date.parse(next.get(startedAt) ?? '') || lastMs
    return { startedAt, endedAt: Number.isNaN(endedMs) ? startedAt : new Date(endedMs).toISOString() }
  }
}

const startOf = (bucket: StatsBucket) => String(bucket['timestamp'])
