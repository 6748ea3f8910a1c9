import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lowestRows, percentile } from './run-report.ts'

const aMeasure = (byRow: number[]) => ({ name: 's', byRow, trials: byRow.length, isRate: false, isSingle: true })

test.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[3, 1, 2], 0.5, 2],
  [[1, 2, 3, 4], 0.95, 3.85],
  [[7], 0, 7],
])('of %j the share %d lies below %d', (values, share, expected) => {
  expect(percentile(values, share)).toBeCloseTo(expected, 12)
})

test('a percentile lies between the two values next to its share, and is no less for a larger share', () => {
  const value = fc.integer({ min: -10_000, max: 10_000 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.array(value, { minLength: 1 }), share, share, (values, one, other) => {
      const sorted = values.toSorted((first, second) => first - second)
      const at = one * (sorted.length - 1)
      expect(percentile(values, one)).toBeGreaterThanOrEqual(sorted[Math.floor(at)]!)
      expect(percentile(values, one)).toBeLessThanOrEqual(sorted[Math.ceil(at)]!)
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      expect(percentile(values, more)).toBeGreaterThanOrEqual(percentile(values, less) - 1e-6)
    }),
  )
})

test('rows with the highest value and rows without one are not among the lowest', () => {
  expect(lowestRows(aMeasure([1, 0.5, Number.NaN, 0, 1, 0]), 10)).toEqual([3, 5, 1])
  expect(lowestRows(aMeasure([1, 0.5, Number.NaN, 0, 1, 0]), 2)).toEqual([3, 5])
  expect(lowestRows(aMeasure([1, 1]), 10)).toEqual([])
})
