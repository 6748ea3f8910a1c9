import { resolveReference } from './resolve-reference.ts'
import { assertionsOf, isNumber, isSchemaObject, isSchemaType, type SchemaObject, schemaTypes, type SchemaType } from './schema-keywords.ts'

/** A schema of what another one does not allow. */
export interface Negation {
  schema: unknown
  /** Schemas of which it offers a choice. */
  alternatives: number
}

interface Around {
  root: unknown
  pointer: string
}

const maxLevels = 20

/**
 * The schema of exactly the values that are not valid under this one, if the enforced keywords can express it: of types, constants without objects or
 * lists, bounds, patterns, required names, properties, and combinations of these. Null if they cannot.
 */
export function negate(schema: unknown, { root, pointer }: Around, level = 0): Negation | null {
  if (typeof schema === 'boolean') return { schema: !schema, alternatives: 1 }
  if (!isSchemaObject(schema) || level > maxLevels) return null
  const negations = assertionsOf(schema).map((keyword) => {
    const inner = (other: unknown) => negate(other, { root, pointer }, level + 1)?.schema ?? null
    return keyword === '$ref' ? inner(resolveReference(root, schema[keyword], pointer)) : negateKeyword(keyword, schema, inner)
  })
  if (negations.includes(null)) return null
  const alternatives = negations.flat().filter((each) => each !== false)
  if (alternatives.length === 0) return { schema: false, alternatives: 1 }
  return { schema: alternatives.length === 1 ? alternatives[0] : { anyOf: alternatives }, alternatives: alternatives.length }
}

type Inner = (schema: unknown) => unknown

/** Alternatives that together are the negation of the keyword. */
function negateKeyword(keyword: string, schema: SchemaObject, inner: Inner): unknown[] | null {
  const value = schema[keyword]
  const list = Array.isArray(value) ? (value as unknown[]) : null
  switch (keyword) {
    case 'type':
      return otherTypes(list ?? [value])
    case 'const':
      return otherValues([value])
    case 'enum':
      return list && otherValues(list)
    case 'allOf':
      return whole(list?.map(inner) ?? null)
    case 'anyOf': {
      const negations = whole(list?.map(inner) ?? null)
      return negations && [{ allOf: negations }]
    }
    case 'not':
      return [value]
    case 'required':
      return list && list.map((name) => ({ type: 'object', properties: { [String(name)]: false } }))
    case 'properties':
      if (!isSchemaObject(value)) return null
      return (
        whole(Object.values(value).map(inner))?.map((negation, at) => {
          const name = Object.keys(value)[at]!
          return { type: 'object', required: [name], properties: { [name]: negation } }
        }) ?? null
      )
    case 'pattern':
      return typeof value === 'string' ? [{ type: 'string', pattern: `^(?![^]*(?:${value}))` }] : null
    default:
      return isNumber(value) ? otherSide(keyword, value) : null
  }
}

function whole(negations: unknown[] | null): unknown[] | null {
  return negations === null || negations.includes(null) ? null : negations
}

function otherTypes(types: readonly unknown[]): unknown[] | null {
  // There is no type for numbers that are not integers.
  if (!types.every(isSchemaType) || (types.includes('integer') && !types.includes('number'))) return null
  return typesBut(types)
}

function typesBut(types: readonly SchemaType[]): unknown[] {
  const rest = schemaTypes.filter((type) => type !== 'integer' && !types.includes(type))
  return rest.length === 0 ? [] : [{ type: rest }]
}

const bounds: Readonly<Record<string, { type: string; other: string; by: number }>> = {
  minLength: { type: 'string', other: 'maxLength', by: -1 },
  maxLength: { type: 'string', other: 'minLength', by: 1 },
  minItems: { type: 'array', other: 'maxItems', by: -1 },
  maxItems: { type: 'array', other: 'minItems', by: 1 },
  minProperties: { type: 'object', other: 'maxProperties', by: -1 },
  maxProperties: { type: 'object', other: 'minProperties', by: 1 },
  minimum: { type: 'number', other: 'exclusiveMaximum', by: 0 },
  maximum: { type: 'number', other: 'exclusiveMinimum', by: 0 },
  exclusiveMinimum: { type: 'number', other: 'maximum', by: 0 },
  exclusiveMaximum: { type: 'number', other: 'minimum', by: 0 },
}

function otherSide(keyword: string, value: number | bigint): unknown[] | null {
  const bound = Object.hasOwn(bounds, keyword) ? bounds[keyword]! : null
  if (bound === null) return null
  if (bound.by === 0) return [{ type: bound.type, [bound.other]: value }]
  const other = Number(value) + bound.by
  return other < 0 ? [] : [{ type: bound.type, [bound.other]: other }]
}

function otherValues(values: readonly unknown[]): unknown[] | null {
  if (values.some((value) => typeof value === 'object' && value !== null)) return null
  const types = values.map((value): SchemaType => (value === null ? 'null' : isNumber(value) ? 'number' : (typeof value as SchemaType)))
  const [texts, booleans] = [values.filter((value) => typeof value === 'string'), values.filter((value) => typeof value === 'boolean')]
  return [
    ...typesBut(types),
    ...(texts.length === 0 ? [] : [{ type: 'string', pattern: `^(?!(?:${texts.map(escapePattern).join('|')})$)` }]),
    ...(new Set(booleans).size === 1 ? [{ const: !booleans[0]! }] : []),
    ...betweenNumbers(values.filter(isNumber)),
  ]
}

function betweenNumbers(numbers: readonly (number | bigint)[]): unknown[] {
  const sorted = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : 1))
  if (sorted.length === 0) return []
  const below = sorted.map((high, at) => ({
    type: 'number',
    ...(at > 0 && { exclusiveMinimum: sorted[at - 1] }),
    exclusiveMaximum: high,
  }))
  return [...below, { type: 'number', exclusiveMinimum: sorted.at(-1) }]
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
