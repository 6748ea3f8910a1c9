import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../vectors/stats-vectors.json' with { type: 'json' }
import { automaticGranularity, boundedGranularity, bucketsOfRange } from './stats-buckets.ts'

test.each(vectors.automatic_granularity)('a range of $range_seconds s has buckets of $automatic_granularity s', (vector) => {
  expect(automaticGranularity(vector.range_seconds)).toBe(vector.automatic_granularity)
})

test.each(vectors.bucket_limit)('$granularity s over $range_seconds s become $used s', ({ granularity, range_seconds, used }) => {
  expect(boundedGranularity(granularity, range_seconds)).toBe(used)
})

test('buckets rise, cover the range, and are no more than the limit and one', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_000_000_000 }),
      fc.integer({ min: 1, max: 31 * 86_400 }),
      fc.integer({ min: 1, max: 200_000 }),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'),
      (startSeconds, length, asked, timezone) => {
        const [start, end, granularity] = [startSeconds * 1e6, (startSeconds + length) * 1e6, boundedGranularity(asked, length)]
        const starts = bucketsOfRange({ start, end, granularity, timezone })
        expect(starts[0]).toBeLessThanOrEqual(start)
        expect(starts.at(-1)).toBeLessThan(end)
        expect(starts.length).toBeLessThanOrEqual(10_002)
        for (let index = 1; index < starts.length; index++) expect(starts[index]).toBeGreaterThan(starts[index - 1] ?? 0)
      },
    ),
    { numRuns: 20 },
  )
})
