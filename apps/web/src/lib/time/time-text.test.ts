import { expect, test } from 'vitest'
import { exactTimeText, timeText } from './time-text.ts'

test.each([
  ['Europe/Berlin', '02:30'],
  ['Asia/Kathmandu', '06:15'],
  ['UTC', '00:30'],
])('a time is that of the clock of %s', (zone, time) => {
  const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  expect(timeText('2026-10-25T00:30:00Z', zone)).toBe(shown.format(Date.parse(`2026-10-25T${time}:00Z`)))
})

test('an hour that the clock shows twice is told apart by its offset', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'] as const
  expect(timeText(first, 'Europe/Berlin')).toBe(timeText(second, 'Europe/Berlin'))
  expect(exactTimeText(first, 'Europe/Berlin')).not.toBe(exactTimeText(second, 'Europe/Berlin'))
})

test('what is not a time stays as it is', () => {
  expect([timeText('soon', 'UTC'), exactTimeText('soon', 'UTC')]).toEqual(['soon', 'soon'])
})
