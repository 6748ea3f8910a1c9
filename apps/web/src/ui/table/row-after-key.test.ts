import { expect, test } from 'vitest'
import { rowAfterKey } from './row-after-key.ts'

test.each<[string, number, number | undefined]>([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 99, 99],
  ['ArrowDown', -1, 0],
  ['ArrowUp', 3, 2],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 13],
  ['PageDown', 95, 99],
  ['PageUp', 3, 0],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['a', 50, undefined],
])('%s leads from row %i of 100 to row %s', (key, at, expected) =>
  expect(rowAfterKey(key, at, { count: 100, pageRows: 10 })).toBe(expected),
)

test('if there are no rows, no key leads to one', () => expect(rowAfterKey('End', -1, { count: 0, pageRows: 10 })).toBeUndefined())
