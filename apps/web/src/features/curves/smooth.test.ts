import { expect, test } from 'vitest'
import { smooth } from './smooth.ts'

test('an average of equal values is that value from the first on', () => {
  for (const value of smooth([3, 3, 3], 0.8)) expect(value).toBeCloseTo(3)
  expect(smooth([1, 2], 0)).toEqual([1, 2])
})
