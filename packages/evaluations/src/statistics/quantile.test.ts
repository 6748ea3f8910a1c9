import { expect, test } from 'vitest'
import { percentile } from '../run-report.ts'
import { quantile } from './quantile.ts'

test.each<[number[], number, number]>([
  [[7], 0.95, 7],
  [[1, 2], 0.5, 1.5],
  [[1, 2, 3], 0.5, 2],
  [[0, 10], 0.95, 9.5],
  [[1, 2, 3, 4, 5], 0, 1],
  [[1, 2, 3, 4, 5], 1, 5],
])('of %j, the share %d lies below %d', (values, share, expected) => {
  expect(quantile(values, share)).toBeCloseTo(expected, 12)
  expect(percentile(values.toReversed(), share)).toBeCloseTo(expected, 12)
})
