import { expect, test } from 'vitest'
import { isTruthy, lookUp } from './look-up.ts'
import { json, nested } from '../../testing/a-span.ts'

const find = (attributes: Record<string, unknown>, name: string) => lookUp(nested(attributes), name.split('.'))

test.each<[string, Record<string, unknown>, string, unknown]>([
  ['a nested name', { 'a.b': 1 }, 'a.b', 1],
  ['a name inside JSON text', { a: '{"b":{"c":1}}' }, 'a.b.c', 1],
  ['a position of a list', { a: '[{"b":1}]' }, 'a.0.b', 1],
  ['the object below a name that is a prefix', { 'a.b.c': 1 }, 'a.b', { c: 1 }],
  ['a name kept beside a plain value', { 'a.b': 'x', 'a.b.c': 1 }, 'a.b.c', 1],
])('finds %s', (_name, attributes, name, value) => {
  expect(find(attributes, name)).toEqual(value)
})

test.each<[string, Record<string, unknown>, string]>([
  ['nothing', {}, 'a.b'],
  ['a name below text', { a: 'x' }, 'a.b'],
  ['a name below a number object', { a: json('1.0') }, 'a.b'],
  ['a name that lists inherit', { a: [1] }, 'a.values'],
  ['a name below null', { a: null }, 'a.b'],
])('finds none in %s', (_name, attributes, name) => {
  expect(find(attributes, name)).toBeUndefined()
})

test.each<[unknown, boolean]>([
  ['', false],
  ['x', true],
  [0, false],
  [json('0.0'), false],
  [json('1.0'), true],
  [false, false],
  [null, false],
  [{}, false],
  [[], false],
  [[0], true],
  [{ a: null }, true],
])('%# %o counts: %s', (value, counts) => {
  expect(isTruthy(nested({ a: value })['a'] ?? null)).toBe(counts)
})
