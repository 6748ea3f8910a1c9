import { expect, test } from 'vitest'
import vectors from '../../../vectors/stats-vectors.json' with { type: 'json' }
import { emptyStat, statsOf, splitUsageMetrics, type UsageMetric } from './stats-metrics.ts'

const request = <M extends string>(metric: M) => ({ metric, aggregations: ['sum' as const], percentiles: [] })

test('a metric without aggregations and percentiles is summed', () => {
  expect(statsOf([{ metric: 'call_count', aggregations: [], percentiles: [] }]).map((stat) => stat.key)).toEqual(['sum_call_count'])
})

test('percentiles keep the way they were written', () => {
  const stats = statsOf([{ metric: 'latency_ms', aggregations: [], percentiles: [95, 99.9] }])
  expect(stats.map((stat) => stat.key)).toEqual(['p95_latency_ms', 'p99.9_latency_ms'])
})

test('sums, averages and counts of nothing are 0, the rest is unknown', () => {
  const stats = statsOf([
    { metric: 'm', aggregations: ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'], percentiles: [50] },
  ])
  expect(stats.map(emptyStat)).toEqual([0, 0, null, null, 0, 0, 0, null])
})

test.each(vectors.call_stats_cost_metrics.added_token_metrics)('$requested brings $token_metrics', ({ requested, token_metrics }) => {
  const { tokens } = splitUsageMetrics((requested as UsageMetric[]).map(request))
  const added = tokens.map(({ metric, aggregations }) => ({ metric, aggregations }))
  expect(added).toEqual(expect.arrayContaining(token_metrics))
  expect(added).toHaveLength(token_metrics.length)
})
