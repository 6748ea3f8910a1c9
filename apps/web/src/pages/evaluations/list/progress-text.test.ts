import { expect, test } from 'vitest'
import { progressText } from './progress-text.ts'

test.each([
  [{ done: 1_200, total: 5_000 }, '1,200 of 5,000 rows done'],
  [{ done: 0, total: 1 }, '0 of 1 row done'],
  [{ done: 1, total: undefined }, '1 row done'],
  [{ done: 0, total: undefined }, '0 rows done'],
  [{ done: 7, total: 5 }, '7 rows done'],
  [{ done: 0, total: 0 }, '0 rows done'],
])('%j is "%s"', (progress, text) => {
  expect(progressText(progress)).toBe(text)
})
