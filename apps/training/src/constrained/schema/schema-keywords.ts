/**
 * Keywords of JSON Schema (2020-12) that are enforced. `minimum` and its like count for integers; `allOf` with a single schema, which generators write
 * around a reference, stands for that schema.
 */
export const enforcedKeywords = {
  everywhere: ['type', 'enum', 'const', 'anyOf', 'allOf', '$ref'],
  string: ['minLength', 'maxLength'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items', 'minItems', 'maxItems'],
} as const

/** Keywords that say nothing about what is valid. */
export const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
])

export const schemaTypes = ['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'] as const
export type SchemaType = (typeof schemaTypes)[number]

export type SchemaObject = Readonly<Record<string, unknown>>

/** The keywords of a schema that decide what is valid. */
export function assertionsOf(schema: SchemaObject): string[] {
  return Object.keys(schema).filter((keyword) => !annotations.has(keyword) && schema[keyword] !== undefined)
}
