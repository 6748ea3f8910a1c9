import { expect, test } from 'vitest'
import { relativeTime, shortAgo } from './relative-time.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

test.each([
  ['2026-03-01T11:59:30Z', 'just now'],
  ['2026-03-01T12:00:20Z', 'just now'],
  ['2026-03-01T11:58:59Z', '1 minute ago'],
  ['2026-03-01T09:00:00Z', '3 hours ago'],
  ['2026-02-28T11:00:00Z', 'yesterday'],
  ['2026-02-20T12:00:00Z', '9 days ago'],
  ['2026-01-01T12:00:00Z', 'last month'],
  ['2024-01-01T12:00:00Z', '2 years ago'],
])('%s is %s', (time, text) => expect(relativeTime(Date.parse(time), now)).toBe(text))

test.each([
  [500, '0 s ago'],
  [13_000, '13 s ago'],
  [61_000, '1 min ago'],
  [20 * 3_600_000, '20 h ago'],
  [6.9 * 86_400_000, '6 d ago'],
  [7 * 86_400_000, undefined],
  [-5_000, undefined],
])('in a column, %d ms ago is %s', (passed, expected) => expect(shortAgo(0, passed)).toBe(expected))
