import { expect, test } from 'vitest'
import { type FieldInput, readEntered, toAnnotationField } from './annotation-field.ts'

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
