import { expect, test } from 'vitest'
import { listText } from './list-text.ts'

test.each([
  [[], ''],
  [[1], '1'],
  [[1, 2], '1, 2'],
  [[1, 2, 3, 4], '1, 2, and 2 more'],
])('of %j, two are written', (numbers, text) => {
  expect(listText(numbers, 2, String)).toBe(text)
})
