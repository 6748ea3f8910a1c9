import fc from 'fast-check'

/** Of few names and values, so that what several parts of a schema say meets. */
const names = fc.constantFrom('a', 'b', 'ab', 'x')
const patterns = fc.constantFrom('^a', 'b$', '^[ab]{1,2}$', 'x', '^(?!x)')
const texts = fc.constantFrom('', 'a', 'b', 'ab', 'x', 'abx')
const numbers = fc.constantFrom(-2, -1, 0, 0.5, 1, 1.5, 2, 3)
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null))
const counts = fc.nat(3)

/** Documents that such schemas distinguish. */
export const smallDocuments: fc.Arbitrary<unknown> = fc.letrec<{ document: unknown }>((tie) => ({
  document: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalars,
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(names, tie('document'), { maxKeys: 3 }),
  ),
})).document

const optional = { requiredKeys: [] }

const strings = fc.record({ type: fc.constant('string'), minLength: counts, maxLength: counts, pattern: patterns }, optional)
const bounds = fc.record(
  { type: fc.constantFrom('integer', 'number'), minimum: numbers, exclusiveMaximum: numbers, multipleOf: fc.constantFrom(0.5, 1, 2) },
  optional,
)
const types = fc.constantFrom('string', 'number', 'boolean', 'null', 'object', 'array')
const constants = fc.oneof(
  fc.array(scalars, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  fc.oneof(scalars, smallDocuments).map((value) => ({ const: value })),
)
const plain: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant({}),
  fc.boolean(),
  types.map((type) => ({ type })),
  fc.uniqueArray(types, { minLength: 1, maxLength: 3 }).map((type) => ({ type })),
  strings,
  bounds,
  constants,
)

/** What `not` and `if` can be turned round: no lists of schemas for elements, no patterns of names. */
const reversible: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    types.map((type) => ({ type })),
    strings.filter(({ pattern }) => pattern !== '^(?!x)'),
    fc.record({ minimum: numbers, exclusiveMaximum: numbers }, optional),
    fc.array(scalars, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
    fc.record({ required: fc.uniqueArray(names, { maxLength: 2 }), minProperties: counts, maxItems: counts }, optional),
    names.chain((name) => tie('schema').map((schema) => ({ properties: { [name]: schema } }))),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).chain((list) => fc.constantFrom({ anyOf: list }, { allOf: list })),
    tie('schema').map((schema) => ({ not: schema })),
  ),
})).schema

/** Alternatives of which each value fulfils one at most. */
function apart(schemas: readonly unknown[]): unknown {
  return {
    oneOf: schemas.map((schema, kind) => ({
      type: 'object',
      properties: { kind: { const: `k${kind}` }, value: schema },
      required: ['kind'],
    })),
  }
}

const branchKeywords = ['if', 'then', 'else']

function branches(schemas: readonly unknown[]): unknown {
  return Object.fromEntries(branchKeywords.map((keyword, at) => [keyword, schemas[at]]))
}

/** Schemas of every keyword that is enforced, in all combinations. Not all of them can be fulfilled. */
export const combinedSchemas: fc.Arbitrary<unknown> = fc.letrec<{ schema: unknown; object: object; array: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, depthSize: 'small', depthIdentifier: 'combined' },
    plain,
    tie('object'),
    tie('array'),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map(apart),
    fc.tuple(tie('object'), fc.array(tie('schema'), { minLength: 1, maxLength: 2 })).map(([object, anyOf]) => ({ ...object, anyOf })),
    fc.tuple(tie('schema'), reversible).map(([schema, not]) => ({ allOf: [schema], not })),
    fc.tuple(reversible, tie('schema'), tie('schema')).map(branches),
    tie('schema').map((schema) => ({ $defs: { schema }, allOf: [{ title: 'a part' }, schema] })),
  ),
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
      patternProperties: fc.dictionary(patterns, tie('schema'), { maxKeys: 2 }),
      additionalProperties: fc.oneof(fc.constant(false), tie('schema')),
      propertyNames: fc.oneof(
        strings,
        texts.map((text) => ({ enum: [text, 'a', 'ab'] })),
        fc.constant({ type: 'string' }),
      ),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      minProperties: counts,
      maxProperties: counts,
      dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 1 }),
    },
    optional,
  ),
  array: fc.oneof(
    fc.record(
      {
        type: fc.constant('array'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        items: tie('schema'),
        minItems: counts,
        maxItems: counts,
      },
      optional,
    ),
    fc.record(
      { type: fc.constant('array'), items: fc.oneof(strings, bounds, constants), uniqueItems: fc.constant(true), minItems: counts },
      optional,
    ),
  ),
})).schema
