import { expect, test } from 'vitest'
import type { Schema } from './openapi-document.ts'
import { schemasReachedFrom, typeText } from './schema-text.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

test.each<[Schema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
  [ref('Call'), '[Call](#call)'],
  [{ type: 'array', items: ref('Call') }, 'list of [Call](#call)'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, 'list of string, then number'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'object of number by name'],
  [{ type: 'object', properties: { a: {}, b: {} } }, 'object with `a`, `b`'],
  [{ enum: ['a', 1, null] }, '`a`, `1`, `null`'],
  [{ const: 'list' }, '`list`'],
  [{}, 'any value'],
])('%j is described as %s', (schema, text) => {
  expect(typeText(schema)).toBe(text)
})

test('shapes are found through other shapes, also where these refer to each other', () => {
  const schemas = { A: { properties: { b: ref('B') } }, B: { items: ref('A'), anyOf: [ref('C')] }, C: {}, D: {} }
  expect(schemasReachedFrom([{ type: 'array', items: ref('A') }], schemas)).toEqual(['A', 'B', 'C'])
})
