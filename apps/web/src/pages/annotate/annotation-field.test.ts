import { JsonNumber } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { type FieldInput, optionOfDigit, optionsOf, readEntered, toAnnotationField } from './annotation-field.ts'

const inputOf = (field_schema: unknown): FieldInput | undefined =>
  toAnnotationField('ref', { object_id: 'spec', val: { _class_name: 'AnnotationSpec', field_schema } })?.input

test.each([
  [{ type: 'boolean' }, { kind: 'options', options: [true, false] }],
  [
    { type: 'string', enum: ['a', 'b'] },
    { kind: 'options', options: ['a', 'b'] },
  ],
  [
    { type: 'number', minimum: 0, maximum: 1 },
    { kind: 'number', isInteger: false, minimum: 0, maximum: 1 },
  ],
  [
    { type: 'integer', minimum: 1, maximum: 5 },
    { kind: 'scale', minimum: 1, maximum: 5 },
  ],
  [
    { type: 'integer', minimum: 0, maximum: 10 },
    { kind: 'number', isInteger: true, minimum: 0, maximum: 10 },
  ],
  [
    { type: 'integer', minimum: 3, maximum: 3 },
    { kind: 'number', isInteger: true, minimum: 3, maximum: 3 },
  ],
  [{ type: 'integer' }, { kind: 'number', isInteger: true, minimum: undefined, maximum: undefined }],
  [
    { type: 'string', maxLength: 3 },
    { kind: 'text', maxLength: 3 },
  ],
  [{ type: 'object' }, { kind: 'json' }],
  [undefined, { kind: 'json' }],
])('the schema %j is a field of %j', (schema, input) => {
  expect(inputOf(schema)).toEqual(input)
})

test('a digit chooses the step of a scale that it names, and the option at its place', () => {
  const scale = { kind: 'scale', minimum: 0, maximum: 4 } as const
  expect(optionsOf(scale)).toEqual([0, 1, 2, 3, 4])
  expect([1, 4, 5].map((digit) => optionOfDigit(scale, digit))).toEqual([1, 4, undefined])
  const options = { kind: 'options', options: ['a', 'b'] } as const
  expect([1, 2, 3].map((digit) => optionOfDigit(options, digit))).toEqual(['a', 'b', undefined])
})

test('an object of another class is not a field', () => {
  expect(toAnnotationField('ref', { object_id: 'a', val: { _class_name: 'Scorer' } })).toBeUndefined()
})

test.each([
  [{ type: 'number', minimum: 0, maximum: 1 }, '0.5', { status: 'value', value: 0.5 }],
  [{ type: 'number', maximum: 1 }, '2', { status: 'refused', problem: 'at most 1, got 2' }],
  [{ type: 'number', minimum: 0 }, '-1', { status: 'refused', problem: 'at least 0, got -1' }],
  [{ type: 'integer' }, '1.5', { status: 'refused', problem: '"1.5" is not a whole number' }],
  [{ type: 'number' }, 'x', { status: 'refused', problem: '"x" is not a number' }],
  [{ type: 'string', maxLength: 3 }, 'abcd', { status: 'refused', problem: 'at most 3 characters, got 4' }],
  [{ type: 'string' }, ' ', { status: 'none' }],
  [{}, '{"a":1}', { status: 'value', value: { a: 1 } }],
  [{}, '{', { status: 'refused', problem: 'not JSON' }],
])('a field of %j reads %j as %j', (schema, text, entered) => {
  expect(readEntered(inputOf(schema) ?? { kind: 'json' }, text)).toEqual(entered)
})

test.each(['9007199254740993', '1.0', '0.1000000000000000055511151231257827', '1e400', '-0'])('%s is read as it is typed', (text) => {
  const entered = readEntered({ kind: 'number', isInteger: false, minimum: undefined, maximum: undefined }, text)
  expect(entered).toEqual({ status: 'value', value: new JsonNumber(text) })
})

test('bounds of a schema may be written as 1.0, and other spellings of a number are read', () => {
  const input = inputOf({ type: 'number', minimum: new JsonNumber('0.0'), maximum: new JsonNumber('1.0') })
  expect(input).toMatchObject({ minimum: 0, maximum: 1 })
  expect(readEntered(input!, '.5')).toEqual({ status: 'value', value: 0.5 })
  expect(readEntered(input!, '1e400')).toEqual({ status: 'refused', problem: 'at most 1, got Infinity' })
})
