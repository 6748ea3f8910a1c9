import { JsonNumber, stringifyJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { jsonStructure } from './json-structure.ts'

test.each([
  ['an object', { a: 1 }, { a: 1 }],
  ['a list', [1], [1]],
  ['a text of an object', ' {"a": [1]}\n', { a: [1] }],
  ['a text of a list', '[]', []],
  ['prose', '{not JSON}', undefined],
  ['a text of a number', '1', undefined],
  ['null', null, undefined],
])('the structure of %s', (_what, value, structure) => {
  expect(jsonStructure(value)).toEqual(structure)
})

test('numbers in a text of JSON stay as they are written', () => {
  expect(stringifyJson(jsonStructure('{"id":9007199254740993,"share":1.0}'))).toBe('{"id":9007199254740993,"share":1.0}')
  expect(jsonStructure(new JsonNumber('1.0'))).toBeUndefined()
})
