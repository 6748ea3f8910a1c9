import { expect, test } from 'vitest'
import { spread } from './spread.ts'

test.each([
  { values: [], expected: '' },
  { values: [2], expected: '2 (2–2)' },
  { values: [9, 1, 4.5678], expected: '4.57 (1–9)' },
  { values: [4, 3, 2, 1], expected: '2 (1–4)' },
])('the spread of $values is their median with lowest and highest', ({ values, expected }) => {
  expect(spread(values)).toBe(expected)
})
