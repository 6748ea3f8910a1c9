import { describe, expect, test } from 'vitest'
import { compileSchema, schemaLimits } from './compile-schema.ts'

describe('schemas that are refused', () => {
  test.each<[string, unknown, string]>([
    ['a keyword that is not enforced', { type: 'string', pattern: 'x' }, 'the schema has "pattern", which is not supported'],
    ['a keyword of another type', { type: 'string', minItems: 1 }, 'the schema has "minItems", which is not supported'],
    [
      'a bound of numbers with a fraction',
      { type: 'object', properties: { 'a/b': { type: 'number', minimum: 0 } } },
      'at /properties/a~1b has "minimum" for "number"',
    ],
    ['more than one schema in allOf', { allOf: [{}, {}] }, '"allOf" with more than one schema'],
    ['keywords beside anyOf', { anyOf: [{}], minLength: 1 }, '"minLength" beside "anyOf"'],
    ['keywords beside $ref', { $ref: '#/$defs/a', type: 'string', $defs: { a: {} } }, '"type" beside "$ref"'],
    ['keywords beside enum', { enum: ['a'], minLength: 1 }, '"minLength" beside "enum"'],
    ['oneOf', { oneOf: [{}] }, '"oneOf"'],
    ['references to other documents', { $ref: 'https://example.com/a' }, 'only references within it are followed'],
    ['references to nothing', { $ref: '#/$defs/a' }, 'there is nothing at "$defs"'],
    ['a schema that is none', { items: 1, type: 'array' }, 'the schema at /items is 1; it must be an object, true or false'],
    ['an unknown type', { type: 'text' }, 'types are string, number'],
    ['an enum that is not a list', { enum: 'a' }, '"enum" that is not a list'],
    ['an anyOf of nothing', { anyOf: [] }, '"anyOf" that is not a list of schemas'],
    ['a bound that is none', { type: 'string', minLength: -1 }, '"minLength" -1; it must be a whole number'],
    ['a bound that is not a number', { type: 'integer', minimum: '1' }, '"minimum" "1"; it must be a number'],
    ['properties that are a list', { type: 'object', properties: [] }, '"properties" that are not an object'],
    ['a required that is not a list', { type: 'object', required: 'a' }, '"required" that is not a list of names'],
    ['false', false, 'cannot be fulfilled'],
    ['bounds without anything between', { type: 'string', minLength: 2, maxLength: 1 }, 'cannot be fulfilled'],
    ['integers without any between', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 'cannot be fulfilled'],
    ['an object that must hold itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }, 'cannot be fulfilled'],
    ['a reference to itself', { $ref: '#' }, 'cannot be fulfilled'],
    ['an empty enum', { enum: [] }, 'cannot be fulfilled'],
    [
      'too many properties',
      { type: 'object', required: Array.from({ length: schemaLimits.properties + 1 }, (_, index) => `p${index}`) },
      '1001 properties; 1000 are possible',
    ],
    ['too many characters', { const: 'x'.repeat(schemaLimits.characters) }, 'more than 500000 characters'],
    ['too many schemas', { anyOf: Array.from({ length: schemaLimits.schemas }, () => ({})) }, 'more than 5000 schemas'],
    [
      'too deep a schema',
      Array.from({ length: schemaLimits.depth + 1 }).reduce((items) => ({ type: 'array', items }), {}),
      'more than 100 levels deep',
    ],
  ])('%s', (_name, schema, message) => {
    expect(() => compileSchema(schema)).toThrow(message)
  })
})

describe('schemas that are taken', () => {
  test.each<[string, unknown]>([
    ['annotations anywhere', { $schema: 'x', title: 't', type: 'string', description: 'd', default: 'a', examples: [] }],
    [
      'allOf around one reference, with a description',
      { allOf: [{ $ref: '#/$defs/a' }], description: 'd', $defs: { a: { type: 'null' } } },
    ],
    ['older definitions', { $ref: '#/definitions/a', definitions: { a: { type: 'null' } } }],
    ['integers with the bounds of safe integers', { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }],
    [
      'references into any part, with escapes',
      { type: 'object', properties: { 'a/b': { type: 'null' }, c: { $ref: '#/properties/a~1b' } } },
    ],
  ])('%s', (_name, schema) => {
    expect(() => compileSchema(schema)).not.toThrow()
  })

  test('keywords that are not enforced are passed over where they may be', () => {
    expect(() => compileSchema({ type: 'string', pattern: 'x', oneOf: [{}] }, { unsupported: 'ignore' })).not.toThrow()
  })
})
