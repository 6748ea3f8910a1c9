import { expect, test } from 'vitest'
import { readSummary } from './read-summary.ts'

test('costs are those of uses with a price; the others are counted', () => {
  const usage_buckets = [
    { model: 'priced', sum_total_tokens: 10, sum_total_cost: 2, count: 3, unpriced_uses: 1 },
    { model: 'unknown', sum_total_tokens: 5, sum_total_cost: 0, count: 2, unpriced_uses: 2 },
  ]
  const call_buckets = [{ sum_call_count: 4, sum_error_count: 1, p50_latency_ms: 20, p95_latency_ms: 90 }]
  expect(readSummary({ call_buckets, usage_buckets, unpriced_usage: { priced: 1, unknown: 2 } })).toEqual({
    traces: 4,
    errors: 1,
    p50Ms: 20,
    p95Ms: 90,
    tokens: 15,
    cost: 2,
    unpriced: 3,
    pricedAs: [],
    reported: 0,
  })
})

test('without a priced model there is no cost, and without calls no latency', () => {
  const summary = readSummary({
    call_buckets: [],
    usage_buckets: [{ model: 'unknown', sum_total_cost: 0, count: 1, unpriced_uses: 1 }],
    unpriced_usage: { unknown: 1 },
  })
  expect(summary).toMatchObject({ traces: 0, p50Ms: null, p95Ms: null, cost: null, unpriced: 1 })
})

test('costs that calls report are part of the cost, also of a model of which other uses report none', () => {
  const usage_buckets = [
    { model: 'openai/priced', sum_total_cost: 2, count: 1, unpriced_uses: 0 },
    { model: 'strange', sum_total_cost: 0.25, count: 3, unpriced_uses: 1 },
  ]
  const known = { unpriced_usage: { strange: 1 }, reported_usage: { strange: 2 }, priced_as: { 'openai/priced': 'priced' } }
  expect(readSummary({ call_buckets: [], usage_buckets, ...known })).toMatchObject({
    cost: 2.25,
    unpriced: 1,
    reported: 2,
    pricedAs: ['priced'],
  })
})
