import { expect, test } from 'vitest'
import { readPreferences } from './preferences.ts'

const none = { widths: {}, order: [] }

test.each<[string, string | null]>([
  ['nothing', null],
  ['a text that is not JSON', '{'],
  ['a list', '[1]'],
  ['null', 'null'],
  ['values of other kinds', '{"widths":"wide","order":{"a":1}}'],
])('what is stored as %s is left out', (_, stored) => expect(readPreferences(stored)).toEqual(none))

test('widths and order are read, within their bounds', () =>
  expect(readPreferences('{"widths":{"a":120,"b":"wide","c":1e9},"order":["b",1,"a"]}')).toEqual({
    widths: { a: 120, c: 1_200 },
    order: ['b', 'a'],
  }))
