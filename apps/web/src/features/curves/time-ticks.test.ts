import { expect, test } from 'vitest'
import { elapsedText, timeTicks } from './time-ticks.ts'

test.each([
  [0, 9_000, 5, [0, 2_000, 4_000, 6_000, 8_000]],
  [3_000, 125_000, 5, [30_000, 60_000, 90_000, 120_000]],
  [0, 20 * 3_600_000, 4, [0, 21_600_000, 43_200_000, 64_800_000]],
  [5, 5, 4, []],
])('from %d to %d ms there are at most %d round ticks', (from, to, most, ticks) => expect(timeTicks(from, to, most)).toEqual(ticks))

test.each([
  [0, '0 s'],
  [90_000, '90 s'],
  [900_000, '15 min'],
  [9_000_000, '2.5 h'],
  [259_200_000, '3 d'],
])('%d ms since the start are %s', (ms, text) => expect(elapsedText(ms)).toBe(text))
