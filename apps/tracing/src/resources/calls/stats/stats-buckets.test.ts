import fc from 'fast-check'
import { expect, test } from 'vitest'
import vectors from '../../../vectors/stats-vectors.json' with { type: 'json' }
import { automaticGranularity, boundedGranularity, bucketStarts, isTimezone } from './stats-buckets.ts'

const at = (text: string) => Date.parse(text) * 1000
const texts = (starts: number[]) => starts.map((start) => new Date(start / 1000).toISOString().slice(0, 16))

test.each(vectors.automatic_granularity)('a range of $range_seconds s has buckets of $automatic_granularity s', (vector) => {
  expect(automaticGranularity(vector.range_seconds)).toBe(vector.automatic_granularity)
})

test.each(vectors.bucket_limit)('$granularity s over $range_seconds s become $used s', ({ granularity, range_seconds, used }) => {
  expect(boundedGranularity(granularity, range_seconds)).toBe(used)
})

test('the first bucket holds the start, the last starts before the end', () => {
  const starts = bucketStarts({ start: at('2026-03-01T00:10:00Z'), end: at('2026-03-01T02:00:00Z'), granularity: 3600, timezone: 'UTC' })
  expect(texts(starts)).toEqual(['2026-03-01T00:00', '2026-03-01T01:00'])
})

test('days begin at midnight of the time zone', () => {
  const range = { start: at('2026-06-01T00:00:00Z'), end: at('2026-06-03T00:00:00Z'), granularity: 86_400, timezone: 'Europe/Berlin' }
  expect(texts(bucketStarts(range))).toEqual(['2026-05-31T22:00', '2026-06-01T22:00', '2026-06-02T22:00'])
})

test('a day on which the clock changes is longer or shorter, and the next begins at midnight again', () => {
  const range = { start: at('2026-03-28T00:00:00Z'), end: at('2026-03-31T00:00:00Z'), granularity: 86_400, timezone: 'Europe/Berlin' }
  expect(texts(bucketStarts(range))).toEqual(['2026-03-27T23:00', '2026-03-28T23:00', '2026-03-29T22:00', '2026-03-30T22:00'])
})

test('an empty range has no bucket', () => {
  const start = at('2026-03-01T00:00:00Z')
  expect(bucketStarts({ start, end: start, granularity: 60, timezone: 'UTC' })).toEqual([])
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
        const starts = bucketStarts({ start, end, granularity, timezone })
        expect(starts[0]).toBeLessThanOrEqual(start)
        expect(starts.at(-1)).toBeLessThan(end)
        expect(starts.length).toBeLessThanOrEqual(10_002)
        for (let index = 1; index < starts.length; index++) expect(starts[index]).toBeGreaterThan(starts[index - 1] ?? 0)
      },
    ),
    { numRuns: 20 },
  )
})

test('only names of the time zone database are time zones', () => {
  expect(isTimezone('Asia/Tokyo')).toBe(true)
  expect(isTimezone('Mars/Olympus')).toBe(false)
  expect(isTimezone('')).toBe(false)
})
