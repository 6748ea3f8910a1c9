import fc from 'fast-check'

/** A schema, and documents that are valid under it. */
export interface SchemaWithDocuments {
  schema: unknown
  documents: fc.Arbitrary<unknown>
}

const names = fc
  .oneof(fc.constantFrom('id', 'name', 'ab', 'a"b', 'ü', 'a\nb', ''), fc.string({ maxLength: 4, unit: 'grapheme' }))
  // JavaScript puts names that are whole numbers first.
  .filter((name) => name !== '__proto__' && !/^\d+$/.test(name))
const texts = fc.string({ maxLength: 6, unit: 'grapheme' })
const anyDocument = fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }).map(withPlainNumbers)

/** Numbers between 1e-300 and 1e300: beyond them some have no form that is written. */
function withPlainNumbers(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) =>
      key === '__proto__' ? undefined : typeof item === 'number' && !isPlain(item) ? 0 : item,
    ),
  )
}

function isPlain(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size > 1e-300 && size < 1e300)
}

/** Any character, which counts as one whatever its bytes. Surrogates are none. */
const characters = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

const strings = fc.tuple(fc.nat(3), fc.option(fc.nat(4))).map(([minLength, more]): SchemaWithDocuments => {
  const max = more === null ? undefined : minLength + more
  const documents = fc.array(characters, { minLength, maxLength: max ?? minLength + 5 }).map((parts) => parts.join(''))
  return { schema: { type: 'string', minLength, ...(max === undefined ? {} : { maxLength: max }) }, documents }
})

const integers = fc.tuple(fc.integer(), fc.nat(100_000), fc.nat(3)).map(([low, width, form]): SchemaWithDocuments => {
  const documents = fc.integer({ min: low, max: low + width })
  if (form === 0) return { schema: { type: 'integer', minimum: low, maximum: low + width }, documents }
  if (form === 1) return { schema: { type: 'integer', exclusiveMinimum: low - 1, exclusiveMaximum: low + width + 1 }, documents }
  if (form === 2) return { schema: { type: 'integer', minimum: low }, documents }
  return { schema: { type: 'integer' }, documents }
})

const short = fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 1000)

const numbers = fc.tuple(short, fc.nat(1_000_000), fc.nat(2)).map(([low, size, form]): SchemaWithDocuments => {
  const high = low + size / 1000
  const within = fc.double({ min: low, max: high, noNaN: true }).filter((value) => !String(value).includes('e'))
  if (form === 0)
    return { schema: { type: 'number', minimum: low, maximum: high }, documents: fc.oneof(within, fc.constant(low), fc.constant(high)) }
  if (form === 1)
    return { schema: { type: 'number', exclusiveMinimum: low }, documents: fc.integer({ min: 1, max: 1_000 }).map((more) => low + more) }
  return { schema: { type: 'number', exclusiveMaximum: low }, documents: fc.integer({ min: 1, max: 1_000 }).map((less) => low - less) }
})

const multiples = fc
  .tuple(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom('integer', 'number'), fc.nat(50))
  .map(([multipleOf, type, count]): SchemaWithDocuments => ({
    schema: { type, multipleOf, minimum: -multipleOf * count, maximum: multipleOf * count + 1 },
    documents: fc.integer({ min: -count, max: count }).map((times) => times * multipleOf + 0),
  }))

const plain: fc.Arbitrary<SchemaWithDocuments> = fc.oneof(
  strings,
  integers,
  numbers,
  multiples,
  fc.constant({ schema: { type: 'number' }, documents: fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isPlain) }),
  fc.constant({ schema: { type: 'boolean' }, documents: fc.boolean() }),
  fc.constant({ schema: { type: ['null', 'string'] }, documents: fc.option(texts) }),
  fc.constant({ schema: {}, documents: anyDocument }),
  fc
    .array(fc.oneof(anyDocument, texts, fc.integer()), { minLength: 1, maxLength: 4 })
    .map((values) => ({ schema: { enum: values }, documents: fc.constantFrom(...values) })),
  anyDocument.map((value) => ({ schema: { const: value }, documents: fc.constant(value) })),
)

const { schema: nested } = fc.letrec<{
  schema: SchemaWithDocuments
  array: SchemaWithDocuments
  object: SchemaWithDocuments
  choice: SchemaWithDocuments
}>((tie) => ({
  schema: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, plain, tie('object'), tie('array'), tie('choice')),
  array: fc.tuple(tie('schema'), fc.nat(2), fc.option(fc.nat(2))).map(([items, minItems, more]) => ({
    schema: { type: 'array', items: items.schema, minItems, ...(more === null ? {} : { maxItems: minItems + more }) },
    documents: fc.array(items.documents, { minLength: minItems, maxLength: minItems + (more ?? 2) }),
  })),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(names, tie('schema'), fc.boolean()), { maxLength: 4, selector: ([name]) => name }),
      fc.oneof(fc.boolean(), tie('schema')),
    )
    .map(([properties, additional]) => toObjectSchema(properties, additional)),
  choice: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((schemas) => ({
    schema: { anyOf: schemas.map(({ schema }) => schema) },
    documents: fc.oneof(...schemas.map(({ documents }) => documents)),
  })),
}))

function toObjectSchema(
  properties: [string, SchemaWithDocuments, boolean][],
  additional: boolean | SchemaWithDocuments,
): SchemaWithDocuments {
  const required = properties.filter(([, , isRequired]) => isRequired).map(([name]) => name)
  const known = fc.record(Object.fromEntries(properties.map(([name, { documents }]) => [name, documents])), {
    requiredKeys: required as never,
  })
  const values = additional === true ? anyDocument : additional === false ? null : additional.documents
  const others = values === null ? fc.constant({}) : fc.dictionary(names, values, { maxKeys: 2 })
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties.map(([name, { schema }]) => [name, schema])),
      required,
      additionalProperties: typeof additional === 'boolean' ? additional : additional.schema,
    },
    // The known ones first, in the order of the schema.
    documents: fc.tuple(others, known).map(([other, own]) => ({
      ...Object.fromEntries(properties.flatMap(([name]) => (Object.hasOwn(own, name) ? [[name, own[name]]] : []))),
      ...Object.fromEntries(Object.entries(other).filter(([name]) => !properties.some(([taken]) => taken === name))),
    })),
  }
}

/** Schemas of every enforced keyword, nested. */
export const schemas: fc.Arbitrary<SchemaWithDocuments> = nested
