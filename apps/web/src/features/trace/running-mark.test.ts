import { expect, test } from 'vitest'
import { runningMark } from './running-mark.ts'

test('a call without an end is marked after ten minutes, and one that ended never', () => {
  const tenMinutes = 600_000
  expect(runningMark({ startedAt: 0, endedAt: null }, tenMinutes)).toBeUndefined()
  expect(runningMark({ startedAt: 0, endedAt: null }, tenMinutes + 60_000)).toBe('no end for over 10 minutes')
  expect(runningMark({ startedAt: 0, endedAt: 5 }, tenMinutes * 10)).toBeUndefined()
})
