import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aCall, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const start = Date.UTC(2026, 2, 1)
const bucket = { start: start / 1000, end: start / 1000 + 60, granularity: 60 }

/** The value below which so many per cent of the values lie, on the line between its neighbours; null of none. */
function percentileOf(values: readonly number[], percentile: number): unknown {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (percentile / 100) * (sorted.length - 1)
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  return below === undefined || above === undefined ? null : expect.closeTo(below + (place % 1) * (above - below), 3)
}

const keysOf = (metric: string, values: readonly number[], percentiles: readonly number[]) =>
  Object.fromEntries(percentiles.map((percentile) => [`p${percentile}_${metric}`, percentileOf(values, percentile)]))

const count = fc.nat({ max: 1_000_000 })
const call = fc.record({ latency: count, input: count, total: fc.option(count) })
const percentiles = fc.uniqueArray(fc.oneof(fc.nat({ max: 100 }), fc.constantFrom(99.9, 0.5)), { minLength: 1, maxLength: 5 })

test('percentiles are exact, in whatever order and of however many metrics they are requested', async () => {
  const asked = fc.record({ latency_ms: percentiles, input_tokens: percentiles, total_tokens: percentiles })
  const property = fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 20 }), asked, async (calls, { latency_ms, ...tokens }) => {
    const project_id = app.newProject()
    const records = calls.map(({ latency, input, total }) =>
      aCall({
        project_id,
        started_at: new Date(start).toISOString(),
        ended_at: new Date(start + latency).toISOString(),
        summary: { usage: { m: { input_tokens: input, ...(total !== null && { total_tokens: total }) } } },
      }),
    )
    await record(app.client, ...records)
    const answer = await app.client.calls.stats({
      project_id,
      ...bucket,
      call_metrics: [{ metric: 'latency_ms', percentiles: latency_ms }],
      usage_metrics: [
        { metric: 'input_tokens', percentiles: tokens.input_tokens },
        { metric: 'total_tokens', percentiles: tokens.total_tokens },
      ],
    })
    const ofCalls = (value: (each: (typeof calls)[number]) => number | null) => calls.map(value).filter((each) => each !== null)
    expect(answer).toMatchObject({
      call_buckets: [
        keysOf(
          'latency_ms',
          ofCalls((each) => each.latency),
          latency_ms,
        ),
      ],
      usage_buckets: [
        {
          ...keysOf(
            'input_tokens',
            ofCalls((each) => each.input),
            tokens.input_tokens,
          ),
          ...keysOf(
            'total_tokens',
            ofCalls((each) => each.total),
            tokens.total_tokens,
          ),
        },
      ],
    })
  })
  await fc.assert(property, { numRuns: inject('long') ? 500 : 5 })
})
