import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowestRows, percentile } from './run-report.ts'

const aMeasure = (byRow: number[]) => ({ name: 's', byRow, trials: byRow.length, isRate: false, isSingle: true })

test.each([
  [[1, 2, 3, 4], 0.5, 2],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.95, 4],
  [[7], 0, 7],
])('of %j the share %d lies at or below %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected)
})

test('at least the share of values is at or below the percentile, and less is below it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const at = percentile(values, share)
      expect(values.filter((value) => value <= at).length).toBeGreaterThanOrEqual(share * values.length)
      expect(values.filter((value) => value < at).length).toBeLessThanOrEqual(share * values.length)
    }),
  )
})

test('rows with the highest value and rows without one are not among the lowest', () => {
  expect(lowestRows(aMeasure([1, 0.5, Number.NaN, 0, 1, 0]), 10)).toEqual([3, 5, 1])
  expect(lowestRows(aMeasure([1, 0.5, Number.NaN, 0, 1, 0]), 2)).toEqual([3, 5])
  expect(lowestRows(aMeasure([1, 1]), 10)).toEqual([])
})
