/**
 * Keywords that affect validity and are enforced, of JSON Schema (drafts 4 to 2020-12) and OpenAPI 3.0; `docs/structured-output.md` describes to what
 * extent.
 */
const enforcedKeywords = [
  'type',
  'nullable',
  'enum',
  'const',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'properties',
  'required',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'prefixItems',
  'items',
  'additionalItems',
  'minItems',
  'maxItems',
  'uniqueItems',
] as const

/** Keywords that affect validity but cannot be enforced while a text is written, with alternatives. */
export const refusedKeywords: Readonly<Record<string, string>> = {
  contains: 'put what must be there first, with "prefixItems"',
  minContains: 'put what must be there first, with "prefixItems"',
  maxContains: 'bound the list with "maxItems"',
  unevaluatedItems: 'use "items": false beside "prefixItems"',
  unevaluatedProperties: 'use "additionalProperties": false in one object that names all properties',
  dependentSchemas: 'use "anyOf" of the objects that are possible',
  dependencies: 'use "dependentRequired", or "anyOf" of the objects that are possible',
  $dynamicRef: 'use "$ref"',
  $recursiveRef: 'use "$ref"',
}

export const schemaTypes = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const
export type SchemaType = (typeof schemaTypes)[number]

export type SchemaObject = Readonly<Record<string, unknown>>

const enforced: ReadonlySet<string> = new Set(enforcedKeywords)

/** The keywords of a schema that decide what is valid. Any other one is an annotation, as the standard has it. */
export function assertionsOf(schema: SchemaObject): string[] {
  return Object.keys(schema).filter(
    (keyword) => (enforced.has(keyword) || Object.hasOwn(refusedKeywords, keyword)) && schema[keyword] !== undefined,
  )
}

export function isSchemaType(value: unknown): value is SchemaType {
  return (schemaTypes as readonly unknown[]).includes(value)
}

/** Whole numbers that JavaScript cannot count as `number` are of type `bigint`. */
export function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}
