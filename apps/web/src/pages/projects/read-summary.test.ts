import { expect, test } from 'vitest'
import { readSummary } from './read-summary.ts'

test('costs are those of models with a price; uses of the others are counted', () => {
  const usage_buckets = [
    { model: 'priced', sum_total_tokens: 10, sum_total_cost: 2 },
    { model: 'unknown', sum_total_tokens: 5, sum_total_cost: 0 },
  ]
  const call_buckets = [{ sum_call_count: 4, sum_error_count: 1, p50_latency_ms: 20, p95_latency_ms: 90 }]
  expect(readSummary({ call_buckets, usage_buckets, unpriced_usage: { unknown: 3 } })).toEqual({
    traces: 4,
    errors: 1,
    p50Ms: 20,
    p95Ms: 90,
    tokens: 15,
    cost: 2,
    unpriced: 3,
  })
})

test('without a priced model there is no cost, and without calls no latency', () => {
  const summary = readSummary({
    call_buckets: [],
    usage_buckets: [{ model: 'unknown', sum_total_cost: 0 }],
    unpriced_usage: { unknown: 1 },
  })
  expect(summary).toMatchObject({ traces: 0, p50Ms: null, p95Ms: null, cost: null, unpriced: 1 })
})
