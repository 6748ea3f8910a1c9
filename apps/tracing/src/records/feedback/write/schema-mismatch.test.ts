import { JsonNumber } from '@heddle/json'
import { expect, test } from 'vitest'
import { createSchemaChecks } from './schema-mismatch.ts'

const beginChecks = createSchemaChecks()
const findSchemaMismatch = beginChecks()

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
])('a value that a schema does not accept has one, and so has an invalid schema (%#)', (schema, value, reason) => {
  expect(findSchemaMismatch(schema, value)).toContain(reason)
})

test('a pattern that would take for ever is stopped', () => {
  const check = beginChecks()
  expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`)).toContain('timed out')
  expect(check({ type: 'string' }, 'next')).toBeUndefined()
})

test('the schemas of one request share a quarter of a second, and the next request has its own', () => {
  let now = 0
  // Each check lasts 52 ms, of which 2 do not count.
  const begin = createSchemaChecks(() => (now += 52))
  const check = begin()
  const reasons = Array.from({ length: 6 }, () => check({ type: 'string' }, 'x'))
  expect(reasons.slice(0, 5)).toEqual(Array.from({ length: 5 }))
  expect(reasons[5]).toContain('the schemas of this request have taken 250 ms')
  expect(begin()({ type: 'string' }, 'x')).toBeUndefined()
})

test('a check that is begun again on a busy machine is charged its limit, not more', () => {
  const times = [0, 99, 298, 298]
  const check = createSchemaChecks(() => times.shift() ?? 298)()
  expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`)).toContain('timed out')
  expect(check({ type: 'string' }, 'next')).toBeUndefined()
})

test('a batch of hostile patterns is refused when its time is over', () => {
  const check = beginChecks()
  const reasons = Array.from({ length: 200 }, () => check({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`))
  expect(reasons.at(-1)).toContain('send fewer values')
})

test('two thousand usual values are checked within one request', () => {
  const check = beginChecks()
  const schema = { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$', maxLength: 10 }
  expect(new Set(Array.from({ length: 2_000 }, (_, n) => check(schema, `AB-${n}`)))).toEqual(new Set([undefined]))
})
