import { expect, test } from 'vitest'
import { timeLeft, withTime } from './pace.ts'

test('the time that is left follows the median of the last items', () => {
  expect(timeLeft([30_000, 40_000, 500_000], 38)).toBe('about 26 min')
  expect(timeLeft([60_000, 60_000, 60_000], 600)).toBe('about 10 h')
})

test('no time is told from fewer than three items, or where none is left', () => {
  expect(timeLeft([30_000, 40_000], 38)).toBeUndefined()
  expect(timeLeft([30_000, 40_000, 50_000], 0)).toBeUndefined()
})

test('the last twenty times are kept, and none of an item that was open while nobody was there', () => {
  expect(withTime([1], 600_001)).toEqual([1])
  const times = Array.from({ length: 25 }, (_, at) => at).reduce<readonly number[]>(withTime, [])
  expect(times).toEqual(Array.from({ length: 20 }, (_, at) => at + 5))
})
