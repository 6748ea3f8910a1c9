import { expect, test } from 'vitest'
import { shortAgo } from './relative-time.ts'

test.each([
  [500, '0 s ago'],
  [13_000, '13 s ago'],
  [61_000, '1 min ago'],
  [20 * 3_600_000, '20 h ago'],
  [6.9 * 86_400_000, '6 d ago'],
  [7 * 86_400_000, undefined],
  [-5_000, undefined],
])('in a column, %d ms ago is %s', (passed, expected) => expect(shortAgo(0, passed)).toBe(expected))
