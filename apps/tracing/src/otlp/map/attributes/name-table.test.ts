import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lookUp } from './look-up.ts'
import { NameTable } from './name-table.ts'
import { json, nested } from '../../testing/a-span.ts'

const find = (attributes: Record<string, unknown>, ...names: string[]) => new NameTable({ row: names }).find(nested(attributes)).row

test.each<[string, Record<string, unknown>, string, unknown]>([
  ['a nested name', { 'a.b': 1 }, 'a.b', 1],
  ['a name inside JSON text', { a: '{"b":{"c":1}}' }, 'a.b.c', 1],
  ['the object below a name that is a prefix', { 'a.b.c': 1 }, 'a.b', { c: 1 }],
  ['a name kept beside a plain value', { 'a.b': 'x', 'a.b.c.d': 1 }, 'a.b.c.d', 1],
  ['a name kept beside a number', { a: json('1.0'), 'a.b': 1 }, 'a.b', 1],
])('finds %s', (_name, attributes, name, value) => {
  expect(find(attributes, name)).toMatchObject({ name, value })
})

test.each<[string, Record<string, unknown>, string]>([
  ['nothing', {}, 'a.b'],
  ['a name below text', { a: 'x' }, 'a.b'],
  ['a name below a list', { a: [1] }, 'a.values'],
  ['a name below null', { a: null }, 'a.b'],
  ['a dotted key that was sent as one', { a: '{"b":{},"b.c":1}' }, 'a.b.c'],
  ['values that say nothing', { a: '', b: 0, c: [] }, 'a'],
])('finds none in %s', (_name, attributes, name) => {
  expect(find(attributes, name)).toBeUndefined()
})

test('the first name of each row wins, whatever was sent first', () => {
  const table = new NameTable({ one: ['a', 'b', 'c.d'], two: ['c.d', 'b'], none: ['e'] })
  const { one, two, none } = table.find(nested({ 'c.d': 'z', b: 'y', a: '' }))
  expect([one?.value, two?.value, none]).toEqual(['y', 'z', undefined])
})

test('a table says itself which values it passes over', () => {
  expect(new NameTable({ row: ['a', 'b'] }, (value) => value === 0).find(nested({ a: '', b: 0 })).row).toMatchObject({
    name: 'b',
    value: 0,
  })
})

test('each name is found where a look-up of it alone finds it', () => {
  const names = ['a', 'a.b', 'a.b.a', 'b', 'b.a']
  const table = new NameTable(Object.fromEntries(names.map((name) => [name, [name]])), () => true)
  const value = fc.constantFrom(1, 'x', null, '{"a":{"b":2},"b":"y"}', '{"a":1,"a":[1],"b.a":3}', ['a'])
  const key = fc.array(fc.constantFrom('a', 'b', ''), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (sent) => {
      const attributes = nested(sent)
      const found = table.find(attributes)
      for (const name of names) expect([name, found[name]?.value]).toEqual([name, lookUp(attributes, name.split('.'))])
    }),
    { numRuns: 1_000 },
  )
})
