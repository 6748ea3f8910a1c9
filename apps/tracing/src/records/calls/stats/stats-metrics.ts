import type { PaidCounts } from '@heddle/trace-model'

/** Ways to sum up the values of a metric. */
export const aggregations = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'] as const
export type Aggregation = (typeof aggregations)[number]

export type UsageMetric =
  | 'input_tokens'
  | 'output_tokens'
  | 'total_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
  | 'input_cost'
  | 'output_cost'
  | 'total_cost'
export type TokenMetric = Exclude<UsageMetric, CostMetric>
export type CostMetric = 'input_cost' | 'output_cost' | 'total_cost'
/**
 * The sources of costs in addition to the tokens of all models, and the reported costs of uses: of usage that counts, and requested only by the
 * service.
 */
export type PaidMetric = Exclude<keyof PaidCounts, 'input' | 'output' | 'cacheRead' | 'cacheWrite'> | 'reported_costs' | 'reported_nanos'
export type CallMetric = 'latency_ms' | 'call_count' | 'error_count'

/** A requested metric. */
export interface MetricRequest<M extends string> {
  metric: M
  aggregations: readonly Aggregation[]
  /** 0 to 100. */
  percentiles: readonly number[]
}

/** One number of a bucket: its key in the answer, and how it is computed from a metric's values. */
export type Stat<M extends string> = { key: string; metric: M } & (
  | { kind: 'aggregation'; aggregation: Aggregation }
  | { kind: 'percentile'; percentile: number }
)

/** The stats of the requested metrics, each key once, in the order of the request. A request without any returns the sum. */
export function statsOf<M extends string>(requests: readonly MetricRequest<M>[]): Stat<M>[] {
  const stats = new Map<string, Stat<M>>()
  for (const { metric, aggregations: requested, percentiles } of requests) {
    const named = requested.length === 0 && percentiles.length === 0 ? (['sum'] as const) : requested
    for (const aggregation of named) {
      const key = `${aggregation}_${metric}`
      stats.set(key, { key, metric, kind: 'aggregation', aggregation })
    }
    for (const percentile of percentiles) {
      const key = `p${percentile}_${metric}`
      stats.set(key, { key, metric, kind: 'percentile', percentile })
    }
  }
  return [...stats.values()]
}

/** The value of a stat over no values: sums, averages and counts are 0, all others unknown. */
export function emptyStat(stat: Stat<string>): number | null {
  if (stat.kind === 'percentile') return null
  return stat.aggregation === 'min' || stat.aggregation === 'max' ? null : 0
}

const costMetrics: Record<CostMetric, readonly TokenMetric[]> = {
  input_cost: ['input_tokens'],
  output_cost: ['output_tokens'],
  total_cost: ['input_tokens', 'output_tokens'],
}

function isCostMetric(metric: UsageMetric): metric is CostMetric {
  return Object.hasOwn(costMetrics, metric)
}

/** Splits a request into token metrics and costs. A cost brings the sums of its tokens along, unless the request names those tokens itself. */
export function splitUsageMetrics(requests: readonly MetricRequest<UsageMetric>[]): {
  tokens: MetricRequest<TokenMetric>[]
  costs: CostMetric[]
} {
  const costs = requests.map((request) => request.metric).filter(isCostMetric)
  const requested = requests.filter((request): request is MetricRequest<TokenMetric> => !isCostMetric(request.metric))
  const named = new Set(requested.map((request) => request.metric))
  const brought = [...new Set(costs.flatMap((cost) => costMetrics[cost]))].filter((metric) => !named.has(metric))
  return { tokens: [...requested, ...brought.map((metric) => ({ metric, aggregations: ['sum' as const], percentiles: [] }))], costs }
}
