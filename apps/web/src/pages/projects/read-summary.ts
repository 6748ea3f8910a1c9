import { numberAt, type StatsBucket } from '../../components/bars-over-time/stats-bucket.ts'

interface Stats {
  call_buckets: readonly StatsBucket[]
  usage_buckets: readonly StatsBucket[]
  unpriced_usage?: Record<string, number> | undefined
}

/** The traces of a project in a few numbers. */
export interface ProjectSummary {
  traces: number
  errors: number
  p50Ms: number | null
  p95Ms: number | null
  tokens: number
  /** Null where no model that was used has a price. */
  cost: number | null
  /** Uses of models without a known price. */
  unpriced: number
}

/** Reads statistics of one bucket. */
export function readSummary({ call_buckets: [calls = {}], usage_buckets, unpriced_usage = {} }: Stats): ProjectSummary {
  const priced = usage_buckets.filter(({ model }) => !Object.hasOwn(unpriced_usage, String(model)))
  return {
    traces: numberAt(calls, 'sum_call_count') ?? 0,
    errors: numberAt(calls, 'sum_error_count') ?? 0,
    p50Ms: numberAt(calls, 'p50_latency_ms'),
    p95Ms: numberAt(calls, 'p95_latency_ms'),
    tokens: sum(usage_buckets.map((bucket) => numberAt(bucket, 'sum_total_tokens') ?? 0)),
    cost: priced.length === 0 ? null : sum(priced.map((bucket) => numberAt(bucket, 'sum_total_cost') ?? 0)),
    unpriced: sum(Object.values(unpriced_usage)),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
