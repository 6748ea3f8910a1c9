import { expect, test } from 'vitest'
import { formatDuration, shortDuration } from './duration.ts'

test.each([
  [0, '<1 ms'],
  [0.0001, '<1 ms'],
  [0.142, '<1 ms'],
  [0.9999, '1 ms'],
  [12.9, '12 ms'],
  [999.999, '999 ms'],
  [1.001 * 1_000, '1.00 s'],
  [1.15 * 1_000, '1.15 s'],
  [1_529.9, '1.52 s'],
  [59_999, '59.99 s'],
  [1_500, '1.50 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
  [172_740_000, '47 h 59 min'],
  [594_000_000, '6 d 21 h'],
])('%d milliseconds are shown as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test.each([
  [250, 250, '250 ms'],
  [500, 2_000, '0.5 s'],
  [2_500, 2_500, '2.5 s'],
  [10_000, 10_000, '10 s'],
  [0, 2_000, '0 s'],
  [90_000, 120_000, '90 s'],
  [900_000, 1_200_000, '15 min'],
  [7_200_000, 7_200_000, '2 h'],
])('on an axis, %d milliseconds are shown in the unit of the highest value, %d: %s', (ms, most, text) =>
  expect(shortDuration(ms, most)).toBe(text),
)
