import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [1_500, '1.50 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
])('%d milliseconds are shown as %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
