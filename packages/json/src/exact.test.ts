import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonNumber, parseExactJson, printJson, stringifyJson } from './exact.ts'

const literals = [
  '1.0',
  '0.50',
  '-0',
  '1e3',
  '1e400',
  '-1E-400',
  '1234567890123456789',
  '12345678901234567890',
  '0.1000000000000000055511151231257827',
]

test.each(literals)('%s is written as it was read, on one line and on several', (literal) => {
  expect(parseExactJson(literal)).toEqual(new JsonNumber(literal))
  expect(stringifyJson(parseExactJson(`{"a":[${literal}]}`))).toBe(`{"a":[${literal}]}`)
  expect(printJson(parseExactJson(`[${literal}]`))).toBe(`[\n  ${literal}\n]`)
})

test('numbers that JavaScript writes alike stay numbers', () => {
  expect(parseExactJson('[0,-1,1.5,9007199254740991,1e-7]')).toEqual([0, -1, 1.5, 9_007_199_254_740_991, 1e-7])
  expect(parseExactJson('{"a":1}')).toEqual({ a: 1 })
})

test('what is not JSON is refused as by the native parser', () => {
  expect(() => parseExactJson('{"a":1.0')).toThrow(SyntaxError)
})

test('values without such numbers are read and printed as the native functions do', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      expect(stringifyJson(parseExactJson(text))).toBe(text)
      expect(printJson(value)).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('any number literal in any value comes back', () => {
  const digits = fc.stringMatching(/^(0|[1-9]\d{0,25})$/)
  const literal = fc
    .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.0', '.50', '.125'), fc.constantFrom('', 'e5', 'E-7', 'e400'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.array(literal, { maxLength: 10 }), (list) => {
      const text = `{"a":[${list.join(',')}],"b":{"c":"1.0"}}`
      expect(stringifyJson(parseExactJson(text))).toBe(text)
    }),
  )
})
