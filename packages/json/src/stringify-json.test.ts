import { JsonText } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber } from './json-number.ts'
import { stringifyJson } from './stringify-json.ts'

test('values without raw text are written as the native writer does', () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true }), (value) => {
      expect(stringifyJson(value)).toBe(JSON.stringify(value) ?? 'null')
      expect(stringifyJson([new JsonNumber('1.0'), value])).toBe(`[1.0,${JSON.stringify([value]).slice(1)}`)
    }),
    { seed: 20260801, numRuns: 300 },
  )
})

test('numbers and texts that are already JSON are written as they are', () => {
  const value = { a: new JsonNumber('1.0'), b: new JsonText('{"x": 1e3}'), c: [1n, undefined], d: undefined, e: new Date(0) }
  expect(stringifyJson(value)).toBe('{"a":1.0,"b":{"x": 1e3},"c":[1,null],"e":"1970-01-01T00:00:00.000Z"}')
  expect(stringifyJson(new JsonText('[1.0]'))).toBe('[1.0]')
})
