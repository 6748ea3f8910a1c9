import { expect, test } from 'vitest'
import { percentiles } from './percentiles.ts'

test.each([
  { values: [], expected: { p50: 0, p95: 0, p99: 0, max: 0 } },
  { values: [3], expected: { p50: 3, p95: 3, p99: 3, max: 3 } },
  { values: Array.from({ length: 100 }, (_, index) => 100 - index), expected: { p50: 50, p95: 95, p99: 99, max: 100 } },
])('the percentiles of $values.length values are values among them', ({ values, expected }) => {
  expect(percentiles(values)).toEqual(expected)
})
