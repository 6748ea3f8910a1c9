import fc from 'fast-check'
import { expect, test } from 'vitest'
import { partsOf, rangeMs, secondsOfPart, timeRanges } from './time-range.ts'

const nowMs = Date.UTC(2026, 10, 30, 12, 0, 30)
const ago = (seconds: number) => ({ sinceMs: nowMs - seconds * 1_000, nowMs })

test('a range of an older project begins at its start, to the minute', () =>
  expect(partsOf('7d', ago(8 * 86_400))).toEqual({ start: '2026-11-23T12:00:00.000Z', granularity: 21_600 }))

test.each([
  [90, '2026-11-30T11:59:00.000Z', 2],
  [5, '2026-11-30T11:59:30.000Z', 2],
  [3_000, '2026-11-30T11:10:00.000Z', 60],
  [3 * 86_400, '2026-11-27T12:00:00.000Z', 7_200],
])('a week of a project that began %i seconds ago begins at %s, in parts of %i seconds', (seconds, start, granularity) =>
  expect(partsOf('7d', ago(seconds))).toEqual({ start, granularity }),
)

test('every range of a newer project holds all of it, in parts that are no longer than those of an older one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...timeRanges), fc.double({ min: 0, max: 1, noNaN: true }), (range, share) => {
      const sinceMs = nowMs - Math.floor(share * (rangeMs[range] - 1))
      const { start, granularity } = partsOf(range, { sinceMs, nowMs })
      expect(Date.parse(start)).toBeLessThanOrEqual(sinceMs)
      expect(granularity).toBeLessThanOrEqual(secondsOfPart[range])
      expect((nowMs - Date.parse(start)) / 1_000 / granularity).toBeLessThan(62)
    }),
  )
})
