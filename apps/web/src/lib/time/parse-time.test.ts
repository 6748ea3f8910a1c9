import { expect, test } from 'vitest'
import { parseTime } from './parse-time.ts'

const now = Date.parse('2026-11-27T14:30:00Z')
const at = (text: string, timeZone = 'UTC') => {
  const time = parseTime(text, { timeZone, now })
  return time === undefined ? undefined : new Date(time).toISOString()
}

test.each([
  ['now', '2026-11-27T14:30:00.000Z'],
  [' 2 days ago ', '2026-11-25T14:30:00.000Z'],
  ['1 hour ago', '2026-11-27T13:30:00.000Z'],
  ['2026-11-26', '2026-11-26T00:00:00.000Z'],
  ['2026-11-26 08:15', '2026-11-26T08:15:00.000Z'],
  ['2026-11-26T08:15:30.5Z', '2026-11-26T08:15:30.500Z'],
  ['yesterday', undefined],
  ['2026-13-40', undefined],
  ['', undefined],
])('%s is read as %s', (text, expected) => expect(at(text)).toBe(expected))

test.each([
  ['Asia/Kathmandu', '2026-11-26 00:00', '2026-11-25T18:15:00.000Z'],
  ['America/New_York', '2026-07-01 12:00', '2026-07-01T16:00:00.000Z'],
  // The hour before the clock goes back, and the one after it.
  ['Europe/Berlin', '2026-10-25 01:30', '2026-10-24T23:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25 03:30', '2026-10-25T02:30:00.000Z'],
])('in %s, %s is %s', (timeZone, text, expected) => expect(at(text, timeZone)).toBe(expected))

test('a time with a Z is UTC in every time zone', () => expect(at('2026-11-26 08:15Z', 'Asia/Tokyo')).toBe('2026-11-26T08:15:00.000Z'))
