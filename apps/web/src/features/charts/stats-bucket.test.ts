import { expect, test } from 'vitest'
import { timesOf } from './stats-bucket.ts'

const [first, second] = [{ timestamp: '2026-10-24T22:00:00Z' }, { timestamp: '2026-10-25T23:00:00Z' }]

test('a bucket ends where the next one starts, also where several have one time', () => {
  const times = timesOf([first, first, second], { granularity: 86_400 })
  expect(times(first)).toEqual({ startedAt: first.timestamp, endedAt: '2026-10-25T23:00:00.000Z' })
  expect(times(second)).toEqual({ startedAt: second.timestamp, endedAt: '2026-10-26T23:00:00.000Z' })
})

test('the last bucket holds all of the range, also on a day of 25 hours', () => {
  const times = timesOf([first], { granularity: 86_400, end: '2026-10-25T22:40:00Z' })
  expect(times(first).endedAt).toBe('2026-10-25T22:40:00.000Z')
})
