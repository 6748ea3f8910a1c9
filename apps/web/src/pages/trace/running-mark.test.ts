import { expect, test } from 'vitest'
import { runningMark } from './running-mark.ts'

test('a call without an end is marked after ten minutes, and one that ended never', () => {
  const tenMinutes = 600_000
  expect(runningMark({ startedMs: 0, endedMs: null }, tenMinutes)).toBeUndefined()
  expect(runningMark({ startedMs: 0, endedMs: null }, tenMinutes + 60_000)).toBe('no end for over 10 minutes')
  expect(runningMark({ startedMs: 0, endedMs: 5 }, tenMinutes * 10)).toBeUndefined()
})
