import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

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
