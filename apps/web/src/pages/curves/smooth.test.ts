import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smooth, thin } from './smooth.ts'

test('an average of equal values is that value from the first on', () => {
  for (const value of smooth([3, 3, 3], 0.8)) expect(value).toBeCloseTo(3)
  expect(smooth([1, 2], 0)).toEqual([1, 2])
})

test('thinning keeps the bound, the last step and every extreme', () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 500 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 50 }), (all, count) => {
      const points = all.map((value, at) => ({ step: at + 1, place: at, value }))
      const thinned = thin(points, count)
      expect(thinned.length).toBeLessThanOrEqual(count)
      expect(thinned.at(-1)?.step).toBe(all.length)
      expect(Math.max(...thinned.map(({ high }) => high))).toBe(Math.max(...all))
      expect(Math.min(...thinned.map(({ low }) => low))).toBe(Math.min(...all))
    }),
  )
})
