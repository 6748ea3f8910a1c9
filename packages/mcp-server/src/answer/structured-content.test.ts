import { JsonNumber, parseExactJson } from '@heddle/json/exact'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toStructured } from './structured-content.ts'

test.each([
  ['1.0', 1],
  ['0.50', 0.5],
  ['-0', -0],
  ['1e3', 1_000],
  ['1E+2', 100],
  ['12e-1', 1.2],
  ['9007199254740992', 9_007_199_254_740_992],
  ['9007199254740993', '9007199254740993'],
  ['1e400', '1e400'],
  ['1e-400', '1e-400'],
  ['0.1000000000000000055511151231257827', '0.1000000000000000055511151231257827'],
])('%s is %j', (literal, structured) => {
  expect(toStructured({ list: [new JsonNumber(literal)] })).toEqual({ list: [structured] })
})

test('a value without such numbers stays as it is, and every number keeps its value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const sent: unknown = JSON.parse(JSON.stringify(value))
      expect(toStructured(parseExactJson(JSON.stringify(value)))).toEqual(sent)
    }),
  )
})
