import { expect, test } from 'vitest'
import { readTraceParts } from './read-trace-parts.ts'

test('each bucket is a part with its end; one without traces has no latency', () => {
  const call_buckets = [
    { timestamp: '2026-01-01T00:00:00Z', sum_call_count: 4, sum_error_count: 1, p50_latency_ms: 20, p95_latency_ms: 90.5, count: 4 },
    { timestamp: '2026-01-01T01:00:00Z', sum_call_count: 0, sum_error_count: 0, p50_latency_ms: null, p95_latency_ms: null, count: 0 },
  ]
  expect(readTraceParts({ call_buckets, granularity: 3_600 })).toEqual([
    { startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T01:00:00.000Z', traces: 4, errors: 1, p50Ms: 20, p95Ms: 90.5 },
    { startedAt: '2026-01-01T01:00:00Z', endedAt: '2026-01-01T02:00:00.000Z', traces: 0, errors: 0, p50Ms: null, p95Ms: null },
  ])
})
