import fc from 'fast-check'

/** A schema, and documents that are valid under it. */
export interface SchemaWithDocuments {
  schema: unknown
  documents: fc.Arbitrary<unknown>
}

const names = fc
  .oneof(fc.constantFrom('id', 'name', 'ab', 'a"b', 'ü', 'a\nb', ''), fc.string({ maxLength: 4, unit: 'grapheme' }))
  .filter((name) => name !== '__proto__')
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

const plain: fc.Arbitrary<SchemaWithDocuments> = fc.oneof(
  strings,
  integers,
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
    // In any order: the known ones win over others of the same name.
    documents: fc.tuple(others, known).map(([other, own]) => ({
      ...Object.fromEntries(Object.entries(other).filter(([name]) => !properties.some(([taken]) => taken === name))),
      ...own,
    })),
  }
}

/** Schemas of every enforced keyword, nested. */
export const schemas: fc.Arbitrary<SchemaWithDocuments> = nested
