import type { CostSource } from '@heddle/trace-model'
import { sum } from '../../lib/sum.ts'
import { numberAt, type StatsBucket } from '../../features/charts/stats-bucket.ts'

interface Stats {
  call_buckets: readonly StatsBucket[]
  usage_buckets: readonly StatsBucket[]
  unpriced_usage?: Record<string, number> | undefined
  reported_usage?: Record<string, number> | undefined
  priced_as?: Record<string, string> | undefined
}

/** The traces of a project in a few numbers. */
export interface ProjectSummary extends CostSource {
  traces: number
  errors: number
  p50Ms: number | null
  p95Ms: number | null
  tokens: number
  /** Null where no use has a known price or reports a cost. */
  cost: number | null
  /** Uses without a known price. */
  unpriced: number
}

/** Reads statistics of one bucket. */
export function readSummary({
  call_buckets: [calls = {}],
  usage_buckets,
  unpriced_usage = {},
  reported_usage = {},
  priced_as = {},
}: Stats): ProjectSummary {
  const priced = usage_buckets.filter((bucket) => (numberAt(bucket, 'count') ?? 0) > (numberAt(bucket, 'unpriced_uses') ?? 0))
  return {
    traces: numberAt(calls, 'sum_call_count') ?? 0,
    errors: numberAt(calls, 'sum_error_count') ?? 0,
    p50Ms: numberAt(calls, 'p50_latency_ms'),
    p95Ms: numberAt(calls, 'p95_latency_ms'),
    tokens: sum(usage_buckets.map((bucket) => numberAt(bucket, 'sum_total_tokens') ?? 0)),
    cost: priced.length === 0 ? null : sum(priced.map((bucket) => numberAt(bucket, 'sum_total_cost') ?? 0)),
    unpriced: sum(Object.values(unpriced_usage)),
    pricedAs: [...new Set(Object.values(priced_as))].sort(),
    reported: sum(Object.values(reported_usage)),
  }
}
