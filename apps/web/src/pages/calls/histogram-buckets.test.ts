import fc from 'fast-check'
import { expect, test } from 'vitest'
import { histogramBuckets } from './histogram-buckets.ts'
import { ranges } from './calls-search.ts'

const hourMs = 3_600_000
const longestMs = 31 * 24 * hourMs
const now = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) })

test('at any time, the buckets of a range cover it and stay an hour below the longest range that the server sums up', () => {
  fc.assert(
    fc.property(now, fc.constantFrom(...ranges), (at, range) => {
      const { start, granularity } = histogramBuckets(range, at)
      const covered = at - Date.parse(start)
      const asked = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 }[range] * hourMs
      expect(covered).toBeGreaterThanOrEqual(asked)
      expect(covered).toBeLessThan(asked + granularity * 1_000)
      expect(covered).toBeLessThan(longestMs - hourMs)
    }),
  )
})

test('the start of a range stays the same until a bucket has passed', () => {
  const noon = Date.UTC(2026, 10, 24, 12)
  expect(histogramBuckets('30d', noon)).toEqual({ start: '2026-10-25T12:00:00.000Z', granularity: 43_200 })
  expect(histogramBuckets('30d', noon + 12 * hourMs - 1)).toEqual(histogramBuckets('30d', noon))
})
