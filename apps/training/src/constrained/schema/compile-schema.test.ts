import { describe, expect, test } from 'vitest'
import type { LiteralTree } from '../grammar/literal-tree.ts'
import { compiledLimits, CompiledSize } from '../grammar/compiled-size.ts'
import { maxProperties } from './compile-objects.ts'
import { compileSchema, schemaLimits } from './compile-schema.ts'
import { refusedKeywords } from './schema-keywords.ts'
import type { SchemaNode } from '../grammar/schema-node.ts'

const closedObject = (name: string) => ({ type: 'object', properties: { [name]: {} }, required: [name], additionalProperties: false })
const closedObjects = { allOf: [closedObject('a'), closedObject('b')] }
const structuredCopy = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))
const tenStrings = () => ({ anyOf: Array.from({ length: 10 }, (_, index) => ({ type: 'string', minLength: index })) })

describe('schemas that are refused', () => {
  test.each<[string, unknown, string]>([
    ['a pattern with a look behind within another', { type: 'string', pattern: '(?=a(?<=b))' }, 'with (?<=b), which is not supported'],
    [
      'a multiple of a tiny fraction',
      { type: 'number', multipleOf: 1e-30 },
      '"multipleOf" 1e-30, which has more decimal places than are written',
    ],
    ['a multiple of nothing', { type: 'integer', multipleOf: 0 }, '"multipleOf" 0; it must be a number above 0'],
    ['numbers without any between', { type: 'number', exclusiveMinimum: 1, maximum: 1 }, 'cannot be fulfilled'],
    ['multiples without any between', { type: 'integer', minimum: 8, maximum: 9, multipleOf: 7 }, 'cannot be fulfilled'],
    [
      'a format',
      { type: 'string', format: 'phone' },
      'the schema has "format" "phone", which is not supported; say what its texts are with "pattern"',
    ],
    ...Object.entries(refusedKeywords).map(([keyword, wayOut]): [string, unknown, string] => [
      keyword,
      { allOf: [{ [keyword]: {} }] },
      `the schema at /allOf/0 has "${keyword}", which is not supported; ${wayOut}`,
    ]),
    [
      'a not that cannot be turned round',
      { not: { items: { type: 'string' } } },
      '"not" of more than can be turned round, which is not supported; say what',
    ],
    ['an if that cannot be turned round', JSON.parse('{"if":{"items":{}},"then":false}'), '"if" of more than can be turned round'],
    ['lists of distinct objects', { uniqueItems: true, type: 'array', items: { type: 'object' } }, '"uniqueItems" of objects or lists'],
    ['tuples of distinct elements', { uniqueItems: true, type: 'array', prefixItems: [{}] }, '"uniqueItems" beside "prefixItems"'],
    ['parts that exclude each other', { allOf: [{ type: 'string' }, { type: 'integer' }] }, 'cannot be fulfilled'],
    ['constants that another part excludes', { enum: ['a'], minLength: 2 }, 'cannot be fulfilled'],
    ['objects each of which forbids what the other requires', closedObjects, 'cannot be fulfilled'],
    [
      'more distinct elements than there are',
      { type: 'array', items: { enum: [1, 2] }, minItems: 3, uniqueItems: true },
      'cannot be fulfilled',
    ],
    ['more properties than there may be', { type: 'object', required: ['a', 'b'], maxProperties: 1 }, 'cannot be fulfilled'],
    [
      'fewer properties than there must be',
      { type: 'object', properties: { a: {} }, additionalProperties: false, minProperties: 2 },
      'cannot be fulfilled',
    ],
    ['names that no property may have', { type: 'object', required: ['ab'], propertyNames: { maxLength: 1 } }, 'cannot be fulfilled'],
    ['first elements outside a list', { type: 'array', prefixItems: {} }, '"prefixItems" that are not a list'],
    ['combinations of many alternatives', { allOf: Array.from({ length: 6 }, () => tenStrings()) }, 'or combinations of them'],
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
      { type: 'object', required: Array.from({ length: maxProperties + 1 }, (_, index) => `p${index}`) },
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
    ['keywords of another type, which say nothing of a value', { type: 'string', minItems: 1 }],
    ['words other than keywords', { type: 'string', 'x-order': 1, discriminator: { propertyName: 'a' }, example: 'b' }],
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
    expect(() => compileSchema({ type: 'string', pattern: '(a)\\1', contains: {} }, { unsupported: 'ignore' })).not.toThrow()
  })
})

describe('what a schema is compiled to', () => {
  const big = { anyOf: Array.from({ length: 4_200 }, (_, index) => ({ const: index })) }
  const manyOf = (schema: unknown) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, schema])),
    $defs: { big },
  })

  test('is bounded, however much references make of a small text', () => {
    const schema = manyOf({ anyOf: [{ $ref: '#/$defs/big' }, { type: 'null' }] })
    // As it comes from a request: no part is the same object as another.
    expect(() => compileSchema(structuredCopy(schema))).toThrow(`compiles to more than ${compiledLimits.transitions} transitions`)
    const chain = Array.from({ length: 800 }, (_, index) => [
      `c${index}`,
      { anyOf: [{ type: 'string', minLength: index }, { $ref: `#/$defs/c${index + 1}` }] },
    ])
    const deep = { $defs: Object.fromEntries([...chain, ['c800', { type: 'null' }]]) }
    const properties = chain.map(([name]) => [name, { $ref: `#/$defs/${String(name)}` }]).toReversed()
    const fromTheEnd = { ...deep, type: 'object', properties: Object.fromEntries(properties) as unknown }
    expect(() => compileSchema(fromTheEnd)).toThrow('transitions')
    expect(() => compileSchema({ enum: Array.from({ length: 20 }, (_, index) => `${index}${'x'.repeat(9_000)}`) })).toThrow(
      `compiles to more than ${compiledLimits.states} states`,
    )
  })

  test('is shared by references alone', () => {
    const size = new CompiledSize()
    compileSchema(structuredCopy(manyOf({ anyOf: [{ $ref: '#/$defs/big' }] })), { size })
    expect(size.states).toBeLessThan(30_000)
  })

  test('counts for all schemas of a request together', () => {
    const size = new CompiledSize()
    const schema = { enum: [`x${'y'.repeat(30_000)}`] }
    for (let times = 0; times < 3; times += 1) compileSchema(schema, { size })
    expect(() => compileSchema(schema, { size })).toThrow('states')
  })

  test('has one tree of all constants among alternatives, so that none is left out', () => {
    const node = compileSchema(big) as Extract<SchemaNode, { kind: 'choice' }>
    expect(node.alternatives.map(({ kind }) => kind)).toEqual(['literal'])
    const [only] = node.alternatives as Extract<SchemaNode, { kind: 'literal' }>[]
    const texts = (tree: LiteralTree, before = ''): string[] => [
      ...(tree.isEnd ? [before] : []),
      ...[...tree.children].flatMap(([symbol, child]) => texts(child, before + String.fromCharCode(symbol))),
    ]
    expect(new Set(texts(only!.tree))).toEqual(new Set(big.anyOf.map((each) => String(each.const))))
  })

  test('an impossible part far from the root falls out, whatever the order in which parts are met', () => {
    // Each waits for the one that is met after it.
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`)
    const link = (next: string) => ({ type: 'object', properties: { next: { $ref: `#/$defs/${next}` } }, required: ['next'] })
    const defs = (end: unknown) => ({ ...Object.fromEntries(names.map((name, at) => [name, link(names[at + 1] ?? 'end')])), end })
    const root = { type: 'object', properties: { a: { $ref: '#/$defs/n0' } }, required: ['a'] }
    expect(() => compileSchema({ ...root, $defs: defs({ type: 'null' }) })).not.toThrow()
    expect(() => compileSchema({ ...root, $defs: defs(false) })).toThrow('cannot be fulfilled')
  })
})
