import { expect, test } from 'vitest'
import { exactTimeText, timeText } from './time-text.ts'

const form = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const
const inUtc = (time: string, more: Intl.DateTimeFormatOptions = {}) =>
  new Intl.DateTimeFormat(undefined, { ...form, ...more }).format(Date.parse(time))
const nowMs = Date.UTC(2026, 11, 24)

test.each([
  ['Europe/Berlin', '02:30'],
  ['Asia/Kathmandu', '06:15'],
  ['UTC', '00:30'],
])('a time is that of the clock of %s', (zone, time) =>
  expect(timeText('2026-10-25T00:30:00Z', zone, { nowMs })).toBe(inUtc(`2026-10-25T${time}:00Z`)),
)

test('a time of another year has its year, and on demand its seconds', () => {
  expect(timeText('2025-10-25T00:30:00Z', 'UTC', { nowMs })).toBe(inUtc('2025-10-25T00:30:00Z', { year: 'numeric' }))
  expect(timeText('2026-10-25T00:30:07Z', 'UTC', { nowMs, hasSeconds: true })).toBe(inUtc('2026-10-25T00:30:07Z', { second: '2-digit' }))
})

test('an hour that the clock shows twice is told apart by its offset', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'] as const
  expect(timeText(first, 'Europe/Berlin')).toBe(timeText(second, 'Europe/Berlin'))
  expect(exactTimeText(first, 'Europe/Berlin')).not.toBe(exactTimeText(second, 'Europe/Berlin'))
})

test('what is not a time stays as it is', () => {
  expect([timeText('soon', 'UTC'), exactTimeText('soon', 'UTC')]).toEqual(['soon', 'soon'])
})
