import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finerBuckets, histogramBuckets } from './histogram-buckets.ts'
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

const day = (counts: readonly number[]) =>
  counts.map((calls, at) => ({ startedAt: new Date(Date.UTC(2026, 10, 24) + at * hourMs).toISOString(), calls }))

test('shorter buckets begin with the bucket of the first call, and are 61 at most', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 2, maxLength: 60 }), fc.integer({ min: 1, max: 3_600_000 }), (counts, sinceLast) => {
      const buckets = day(counts)
      const at = Date.parse(buckets.at(-1)!.startedAt) + sinceLast
      const finer = finerBuckets(buckets, 3_600, at)
      const first = buckets.find(({ calls }) => calls > 0)
      if (finer === undefined) return
      expect(Date.parse(finer.start)).toBeLessThanOrEqual(Date.parse(first!.startedAt))
      expect(finer.granularity).toBeLessThan(3_600)
      expect((at - Date.parse(finer.start)) / 1_000 / finer.granularity).toBeLessThanOrEqual(60)
    }),
  )
})

const noon = Date.UTC(2026, 10, 24, 12)
const lastHour = day([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])

test('where all calls are of the last of twelve hours, its buckets are of a minute', () =>
  expect(finerBuckets(lastHour, 3_600, noon)).toEqual({ start: '2026-11-24T11:00:00.000Z', granularity: 60 }))

test.each([
  ['no call', day([0, 0, 0]), 3_600],
  ['as short buckets', lastHour, 60],
])('with %s no buckets are shorter', (_, buckets, granularity) => expect(finerBuckets(buckets, granularity, noon)).toBeUndefined())

test('calls of the last seconds are in buckets of a minute before now', () =>
  expect(finerBuckets([{ startedAt: '2026-11-24T11:59:58.000Z', calls: 1 }], 10, noon)).toEqual({
    start: '2026-11-24T11:59:00.000Z',
    granularity: 2,
  }))

test('the start of a range stays the same until a bucket has passed', () => {
  const month = { range: '30d', timezone: 'UTC' } as const
  expect(histogramBuckets(month, noon)).toEqual({ start: '2026-10-25T12:00:00.000Z', granularity: 43_200, timezone: 'UTC' })
  expect(histogramBuckets(month, noon + 12 * hourMs - 1)).toEqual(histogramBuckets(month, noon))
})

test('buckets start at midnight and noon of the time zone', () => {
  expect(histogramBuckets({ range: '30d', timezone: 'Asia/Kathmandu' }, noon).start).toBe('2026-10-25T06:15:00.000Z')
  expect(histogramBuckets({ range: '30d', timezone: 'Europe/Berlin' }, noon).start).toBe('2026-10-25T11:00:00.000Z')
})
