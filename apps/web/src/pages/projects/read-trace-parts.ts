import { numberAt, type StatsBucket, timesOf } from '../../components/bars-over-time/stats-bucket.ts'

interface Stats {
  call_buckets: readonly StatsBucket[]
  /** Seconds of a bucket. */
  granularity: number
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

/** The parts of a range in order of time, empty ones included. */
export function readTraceParts({ call_buckets, granularity }: Stats): TracePart[] {
  return call_buckets.map((bucket) => ({
    ...timesOf(bucket, granularity),
    traces: numberAt(bucket, 'sum_call_count') ?? 0,
    errors: numberAt(bucket, 'sum_error_count') ?? 0,
    p50Ms: numberAt(bucket, 'p50_latency_ms'),
    p95Ms: numberAt(bucket, 'p95_latency_ms'),
  }))
}
