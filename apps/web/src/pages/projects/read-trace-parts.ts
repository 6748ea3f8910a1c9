import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../../features/charts/stats-bucket.ts'

interface Stats extends BucketGrid {
  call_buckets: readonly StatsBucket[]
}

/** The traces that started in a part of a range. */
export interface TracePart {
  startedAt: string
  endedAt: string
  traces: number
  errors: number
  /** Null where no trace has ended. */
  p50Ms: number | null
  p95Ms: number | null
}

/** The parts of a range ordered by time, empty ones included. */
export function readTraceParts({ call_buckets, ...grid }: Stats): TracePart[] {
  const times = timesOf(call_buckets, grid)
  return call_buckets.map((bucket) => ({
    ...times(bucket),
    traces: numberAt(bucket, 'sum_call_count') ?? 0,
    errors: numberAt(bucket, 'sum_error_count') ?? 0,
    p50Ms: numberAt(bucket, 'p50_latency_ms'),
    p95Ms: numberAt(bucket, 'p95_latency_ms'),
  }))
}
