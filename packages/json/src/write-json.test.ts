import { JsonText } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber } from './json-number.ts'
import { parseJson } from './parse-json.ts'
import { stringifyJson } from './stringify-json.ts'
import { writeJson } from './write-json.ts'

test.each<[string, unknown, string]>([
  ['numbers keep their form', [1, -0, 1e21, new JsonNumber('1.0'), 12345678901234567890n], '[1,0,1e+21,1.0,12345678901234567890]'],
  ['ready texts are written as they are', { a: new JsonText('[ 1 ]') }, '{"a":[ 1 ]}'],
  ['absent members are left out', { a: undefined, b: null }, '{"b":null}'],
  ['absent elements are null', [undefined, Number.NaN], '[null,null]'],
  ['keys are own keys whatever their name', parseJson('{"__proto__":{"toJSON":1}}'), '{"__proto__":{"toJSON":1}}'],
])('%s', (_name, value, text) => {
  expect(writeJson(value)).toBe(text)
})

test('every JSON value is written as elsewhere', () => {
  fc.assert(fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => writeJson(value) === stringifyJson(value)))
})
