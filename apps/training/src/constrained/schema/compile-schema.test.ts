import { describe, expect, test } from 'vitest'
import type { LiteralTree } from '../frames/literal.ts'
import { compiledLimits, CompiledSize } from './compiled-size.ts'
import { compileSchema, schemaLimits } from './compile-schema.ts'
import type { SchemaNode } from './schema-node.ts'

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

describe('what a schema is compiled to', () => {
  const big = { anyOf: Array.from({ length: 4_200 }, (_, index) => ({ const: index })) }
  const manyOf = (schema: unknown) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`p${index}`, schema])),
    $defs: { big },
  })

  test('is bounded, however much references make of a small text', () => {
    const schema = manyOf({ anyOf: [{ $ref: '#/$defs/big' }, { type: 'null' }] })
    expect(() => compileSchema(schema)).toThrow(`compiles to more than ${compiledLimits.transitions} transitions`)
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
    compileSchema(manyOf({ anyOf: [{ $ref: '#/$defs/big' }] }), { size })
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
