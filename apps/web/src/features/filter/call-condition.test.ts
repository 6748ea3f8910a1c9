import { QueryExpression } from '@heddle/core-api'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Condition, maxConditions, operators, readConditions, readValue, toExpression, withCondition } from './call-condition.ts'
import { toConditions } from '../calls/testing/to-conditions.ts'

const value = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const condition = fc.record({ path: fc.string({ minLength: 1 }), operator: fc.constantFrom(...operators), value })
const conditions = fc.array(condition, { minLength: 1, maxLength: 10 })

test('conditions become an expression that the contract accepts, and come back from it', () => {
  fc.assert(
    fc.property(conditions, (list) => {
      const expression = toExpression(list)!
      expect(QueryExpression.safeParse(expression).success).toBe(true)
      expect(toConditions(expression)).toEqual(list)
    }),
  )
})

test('conditions survive an address', () => {
  fc.assert(
    fc.property(conditions, (list) => {
      const written = JSON.stringify(list)
      expect(readConditions(JSON.parse(written))).toEqual(JSON.parse(written))
    }),
  )
})

test('no condition is not an expression', () => expect(toExpression([])).toBeUndefined())

test('an expression that conditions cannot say is not shown as some', () => {
  expect(toConditions({ $expr: { $or: [{ $eq: [{ $getField: 'a' }, { $literal: 1 }] }] } })).toBeUndefined()
  expect(toConditions({ $expr: { $eq: [{ $getField: 'a' }, { $getField: 'b' }] } })).toBeUndefined()
  expect(toConditions({ $expr: { $eq: [{ $getField: 'a' }, { $literal: [1] }] } })).toBeUndefined()
})

test.each([
  undefined,
  'x',
  [1],
  [null],
  [{ path: '', operator: '=', value: 1 }],
  [{ path: 'a', operator: '~', value: 1 }],
  [{ path: 'a', operator: '=' }],
])('an address with %j has no conditions', (value) => expect(readConditions(value)).toEqual([]))

test.each<[string, unknown]>([
  ['12', 12],
  ['"12"', '12'],
  ['true', true],
  ['null', null],
  ['[1]', '[1]'],
  ['plain text', 'plain text'],
])('the typed value %s is read as %j', (text, expected) => expect(readValue(text, '=')).toEqual(expected))

test.each(['12345678901234567890', '1.0', '-0', '1e400', '0.50'])(
  'the typed number %s stays as it is written, in an address and in a request',
  (text) => {
    const condition: Condition = { path: 'inputs.id', operator: '=', value: readValue(text, '=') }
    expect(readConditions(JSON.parse(JSON.stringify([condition])))).toEqual([condition])
    const expression = toExpression([condition])!
    expect(stringifyJson(expression)).toContain(`{"$literal":${text}}`)
    expect(toConditions(parseExactJson(stringifyJson(expression)) as QueryExpression)).toEqual([condition])
  },
)

test.each([{ number: 'x' }, { number: '1', more: 1 }, { number: 1 }, {}, { number: '1'.repeat(2_000) }])(
  'an address with the value %j has no condition',
  (value) => expect(readConditions([{ path: 'a', operator: '=', value }])).toEqual([]),
)

test('what is searched for inside a text stays a text', () => expect(readValue('12', 'contains')).toBe('12'))

test('a condition that is added counts once, and never beyond the most', () => {
  const one: Condition = { path: 'a', operator: '=', value: 1 }
  expect(withCondition(undefined, one)).toEqual([one])
  expect(withCondition([one], { ...one })).toEqual([one])
  expect(withCondition([one], { ...one, value: 2 })).toHaveLength(2)
  const full = Array.from({ length: maxConditions }, (_, value): Condition => ({ ...one, value: value + 5 }))
  expect(withCondition(full, one)).toEqual(full)
})
