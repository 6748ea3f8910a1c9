import { expect, test } from 'vitest'
import { nestingsOf, valueAt, valueNamed } from './members.ts'

const exactNumber = { [Symbol.for('heddle.JsonNumber')]: true, text: '1.0' }

test.each<[unknown, string, unknown]>([
  [{ a: { b: 1 } }, 'a.b', 1],
  [{ 'a.b': 1 }, 'a.b', 1],
  [{ a: { 'b.c': 1 } }, 'a.b.c', 1],
  [{ 'a.b': { c: 1 }, a: { b: { c: 2 } } }, 'a.b.c', 2],
  [{ 'a.b': { c: 1 }, a: { b: { c: 2 } } }, 'a\\.b.c', 1],
  [{ 'a.b': { c: 1 }, 'a.b.c': 2, a: 3 }, 'a.b.c', 2],
  [{ a: [{ b: 1 }] }, 'a.0.b', 1],
  [{ a: [1] }, 'a.1', undefined],
  [{ a: [1] }, 'a.length', undefined],
  [{ a: { length: 1 } }, 'a.length', 1],
  [{ a: 'text' }, 'a.0', undefined],
  [{ a: exactNumber }, 'a', exactNumber],
  [{ a: exactNumber }, 'a.text', undefined],
  [{ a: null }, 'a', null],
  [{}, 'toString', undefined],
])('%j at %s', (value, path, expected) => expect(valueAt(value, path)).toBe(expected))

test('a name with dots is that of a member before it is a path', () => {
  expect(valueNamed({ 'a.b': 1, a: { b: 2 } }, nestingsOf('a.b'))).toBe(1)
  expect(valueNamed({ a: { b: 2 } }, nestingsOf('a.b'))).toBe(2)
})

test('a name is found in all its nestings, in one order', () => {
  expect(nestingsOf('a')).toEqual([['a']])
  expect(nestingsOf('a.b.c')).toEqual([['a.b.c'], ['a', 'b', 'c'], ['a.b', 'c'], ['a', 'b.c']])
  expect(nestingsOf('a.b.c.d')).toHaveLength(8)
  expect(valueNamed({ a: { 'b.c': 1 }, 'a.b': { c: null } }, nestingsOf('a.b.c'))).toBe(1)
  expect(valueNamed({ a: { b: { c: null } } }, nestingsOf('a.b.c'))).toBeUndefined()
})
