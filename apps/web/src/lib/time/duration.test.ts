import { expect, test } from 'vitest'
import { formatDuration, shortDuration } from './duration.ts'

test.each([
  [0, '0 ms'],
  [12.9, '12 ms'],
  [999.999, '999 ms'],
  [1.001 * 1_000, '1.00 s'],
  [1.15 * 1_000, '1.15 s'],
  [1_529.9, '1.52 s'],
  [59_999, '59.99 s'],
  [1_500, '1.50 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
])('%d milliseconds are shown as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test.each([
  [250, '250 ms'],
  [2_500, '2.5 s'],
  [10_000, '10 s'],
  [1_250, '1.25 s'],
  [0, '0 s'],
  [120_000, '2 min'],
  [90_000, '1 min 30 s'],
  [7_200_000, '2 h'],
])('on an axis, %d milliseconds are shown as %s', (ms, text) => expect(shortDuration(ms)).toBe(text))
