import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBins } from './histogram-bins.ts'

test('few different values have a bin each, many share twelve ranges', () => {
  expect(toBins([1, 0, 1])).toEqual([
    { low: 0, high: 0, count: 1 },
    { low: 1, high: 1, count: 2 },
  ])
  expect(toBins(Array.from({ length: 24 }, (_, at) => at)).map(({ count }) => count)).toEqual(Array.from({ length: 12 }, () => 2))
  expect(toBins([])).toEqual([])
})

test('every value is in one bin', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 60 }), (values) => {
      expect(toBins(values).reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
    }),
  )
})
