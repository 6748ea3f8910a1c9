import { expect, test } from 'vitest'
import { compactCount } from './compact-count.ts'

test.each([
  [0, '0'],
  [858, '858'],
  [9_999, '9,999'],
  [15_480, '15.5K'],
  [212_200, '212K'],
  [1_028_854, '1.03M'],
])('%d is %s', (count, text) => expect(compactCount(count)).toBe(text))

test('counts of one axis are written alike', () => {
  expect([0, 500, 1_000].map((count) => compactCount(count, 1_000))).toEqual(['0', '500', '1,000'])
  expect([0, 5_000, 10_000].map((count) => compactCount(count, 10_000))).toEqual(['0', '5K', '10K'])
})
