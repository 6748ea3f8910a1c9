import { expect, test } from 'vitest'
import { fitTicks, roomOf } from './axis.tsx'

const days = Array.from({ length: 30 }, (_, at) => at)

test('where not all labels find room, each second one or fewer stands, and at least two', () => {
  expect(fitTicks(days, 40)).toEqual(days)
  expect(fitTicks(days, 15)).toEqual(days.filter((at) => at % 2 === 0))
  expect(fitTicks(days, 0)).toEqual([0, 15])
  expect(fitTicks([], 8)).toEqual([])
})

test('the values of an axis get as much room as the longest of them, and never less than usual', () => {
  expect(roomOf([], 44)).toBe(44)
  expect(roomOf(['0 s', '40 s'], 44)).toBe(44)
  expect(roomOf(['0 s', '1 min 30 s'], 44)).toBe(70)
})
