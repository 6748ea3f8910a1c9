import { describe, expect, test } from 'vitest'
import { LenientBoolean, LenientCount, LenientInt, lenientIntBetween, LenientNumber } from './lenient.ts'
import { orDefault, orNull } from './optional.ts'
import { z } from 'zod'

const numberAs = (text: string) => ({ [Symbol.for('heddle.JsonNumber')]: true, text })

describe('LenientInt', () => {
  test.each([
    [3, 3],
    ['3', 3],
    [' -3 ', -3],
    ['3.0', 3],
    [numberAs('3.0'), 3],
    [numberAs('3e2'), 300],
    [9007199254740991, 9007199254740991],
  ])('takes %j', (value, integer) => expect(LenientInt.parse(value)).toBe(integer))

  test.each([
    [3.5, 'int_from_float'],
    ['3.5', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x10', 'int_parsing'],
    [true, 'int_type'],
    [null, 'int_type'],
    [[], 'int_type'],
    [numberAs('9007199254740993'), 'int_parsing_size'],
    [numberAs('1e400'), 'int_from_float'],
  ])('refuses %j as %s', (value, type) => {
    expect(LenientInt.safeParse(value).error?.issues).toMatchObject([{ params: { type } }])
  })

  test('an absent value is missing, not malformed', () => {
    expect(z.object({ limit: LenientInt }).safeParse({}).error?.issues).toMatchObject([{ code: 'invalid_type', path: ['limit'] }])
  })

  test('a count is at least 0', () => {
    expect(LenientCount.parse('0')).toBe(0)
    expect(LenientCount.safeParse(-1).success).toBe(false)
  })

  test.each([
    [0, 'greater_than_equal'],
    ['11', 'less_than_equal'],
    [1.5, 'int_from_float'],
  ])('an integer from 1 to 10 is not %j', (value, type) => {
    expect(lenientIntBetween(1, 10).safeParse(value).error?.issues).toMatchObject([{ params: { type } }])
    expect(['1', 10].map((each) => lenientIntBetween(1, 10).parse(each))).toEqual([1, 10])
  })
})

test.each([
  [1.5, 1.5],
  ['1e3', 1000],
  ['.5', 0.5],
  [numberAs('1.50'), 1.5],
])('a number may be written as %j', (value, number) => expect(LenientNumber.parse(value)).toBe(number))

test.each(['', 'nan', 'Infinity', numberAs('1e400'), true, null])('%j is not a number', (value) => {
  expect(LenientNumber.safeParse(value).success).toBe(false)
})

test.each([
  [true, true],
  ['True', true],
  ['0', false],
  [1, true],
  [numberAs('0.0'), false],
])('a boolean may be written as %j', (value, boolean) => expect(LenientBoolean.parse(value)).toBe(boolean))

test.each(['yes', 2, null, {}])('%j is not a boolean', (value) => expect(LenientBoolean.safeParse(value).success).toBe(false))

test('absent and null both mean not given', () => {
  const shape = z.object({ limit: orNull(LenientInt), deep: orDefault(LenientBoolean, true) })
  expect(shape.parse({})).toEqual({ limit: null, deep: true })
  expect(shape.parse({ limit: null, deep: null })).toEqual({ limit: null, deep: true })
  expect(shape.parse({ limit: 0, deep: 'false' })).toEqual({ limit: 0, deep: false })
})
