import { JsonNumber } from '@heddle/service-kit/json'
import { expect, test } from 'vitest'
import { createSchemaCheck } from './schema-mismatch.ts'

const findSchemaMismatch = createSchemaCheck()

test.each<[unknown, unknown]>([
  [{}, { any: 'thing' }],
  [{ type: 'integer', minimum: 0 }, 3],
  [{ type: 'integer' }, new JsonNumber('3.0')],
  [{ type: 'number', maximum: 1 }, new JsonNumber('0.50')],
  [{ enum: ['good', 'bad'] }, 'good'],
  [{ const: { a: 1 } }, { a: new JsonNumber('1.0') }],
  [{ type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { type: 'boolean' } } }, { a: true }],
  [{ anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }] }, null],
  [{ prefixItems: [{ type: 'string' }], items: false }, ['x']],
  [{ pattern: '^a+$' }, 'aaa'],
])('a value that a schema takes has no mismatch (%#)', (schema, value) => {
  expect(findSchemaMismatch(schema, value)).toBeUndefined()
})

test.each<[unknown, unknown, string]>([
  [{ type: 'integer' }, 'x', '#: '],
  [{ type: 'object', properties: { a: { maximum: 1 } } }, { a: 2 }, '#/a: '],
  [{ enum: ['good'] }, 'bad', '#: '],
  [{ $ref: '#/$defs/gone' }, 1, 'field_schema cannot be applied'],
  [{ $ref: '#' }, 1, 'field_schema cannot be applied'],
  [{ pattern: '(' }, 'x', 'field_schema cannot be applied'],
  [{ type: 'colour' }, 'x', 'field_schema.type must be'],
  ['text', 'x', 'field_schema must be'],
  [null, 'x', 'field_schema must be'],
])('a value that a schema does not take has one, and so has what is no schema (%#)', (schema, value, reason) => {
  expect(findSchemaMismatch(schema, value)).toContain(reason)
})

test('a pattern that would take for ever is stopped', () => {
  expect(findSchemaMismatch({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`)).toContain('timed out')
  expect(findSchemaMismatch({ type: 'string' }, 'next')).toBeUndefined()
})
