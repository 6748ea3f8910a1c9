import { JsonNumber } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { kindOfColumn } from './column-kind.ts'

test.each([
  [[1, null, 2], 'number'],
  [[true, undefined, false], 'boolean'],
  [['refund', 'refund', 'return', 'return'], 'category'],
  [['refund', 'return', 'refund'], 'text'],
  [['a', 'b', 'c', 'd'], 'text'],
  [['', '', 'a', 'a'], 'text'],
  [['x'.repeat(25), 'x'.repeat(25), 'x'.repeat(25), 'x'.repeat(25)], 'text'],
  [['a', 1], 'json'],
  [[{ a: 1 }], 'json'],
  [[null, undefined], 'none'],
])('a column of %j is %s', (values, kind) => {
  expect(kindOfColumn(values)).toBe(kind)
})

test('a column of exact numbers is one of numbers', () => {
  expect(kindOfColumn([new JsonNumber('1.0'), null])).toBe('number')
})
