import fc from 'fast-check'
import { expect, test } from 'vitest'
import { histogramBuckets, shorterRange } from './histogram-buckets.ts'
import { ranges } from './calls-search.ts'

const hourMs = 3_600_000
const longestMs = 31 * 24 * hourMs
const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })

test('at any time, the buckets of a range cover it and stay an hour below the longest range that the server sums up', () => {
  fc.assert(
    fc.property(now, fc.constantFrom(...ranges), fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'), (at, range, timezone) => {
      const { start, granularity } = histogramBuckets({ range, timezone }, at)
      const covered = at - Date.parse(start)
      const asked = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 }[range] * hourMs
      expect(covered).toBeGreaterThanOrEqual(asked)
      expect(covered).toBeLessThan(asked + granularity * 1_000 + (granularity > 3_600 ? hourMs : 0))
      expect(covered).toBeLessThan(longestMs - hourMs)
    }),
  )
})

test('the last buckets of a range that has a shorter one lie within that, at any time', () => {
  fc.assert(
    fc.property(now, fc.constantFrom('7d', '24h'), fc.constantFrom('UTC', 'Asia/Kathmandu'), (at, range, timezone) => {
      const { start, granularity } = histogramBuckets({ range, timezone }, at)
      const count = Math.ceil((at - Date.parse(start)) / 1_000 / granularity)
      const next = shorterRange(range, [...Array.from({ length: count - 1 }, () => 0), 1])!
      expect(shorterRange(range, [1, ...Array.from({ length: count - 1 }, () => 1)])).toBeUndefined()
      const from = Date.parse(start) + (count - (range === '7d' ? 3 : 1)) * granularity * 1_000
      expect(from).toBeGreaterThanOrEqual(Date.parse(histogramBuckets({ range: next, timezone }, at).start))
    }),
  )
})

test.each([
  ['7d', [0, 0, 0, 0, 3, 0, 1], '24h'],
  ['7d', [0, 0, 0, 3, 0, 0, 1], undefined],
  ['7d', [0, 0, 0, 0], undefined],
  ['24h', [0, 0, 5], '1h'],
  ['24h', [0, 1, 5], undefined],
  ['1h', [0, 1], undefined],
] as const)('of %s with %j calls the shorter range is %s', (range, counts, next) => expect(shorterRange(range, counts)).toBe(next))

test('the start of a range stays the same until a bucket has passed', () => {
  const month = { range: '30d', timezone: 'UTC' } as const
  const noon = Date.UTC(2026, 10, 24, 12)
  expect(histogramBuckets(month, noon)).toEqual({ start: '2026-10-25T12:00:00.000Z', granularity: 43_200, timezone: 'UTC' })
  expect(histogramBuckets(month, noon + 12 * hourMs - 1)).toEqual(histogramBuckets(month, noon))
})

test('buckets start at midnight and noon of the time zone', () => {
  const noon = Date.UTC(2026, 10, 24, 12)
  expect(histogramBuckets({ range: '30d', timezone: 'Asia/Kathmandu' }, noon).start).toBe('2026-10-25T06:15:00.000Z')
  expect(histogramBuckets({ range: '30d', timezone: 'Europe/Berlin' }, noon).start).toBe('2026-10-25T11:00:00.000Z')
})
