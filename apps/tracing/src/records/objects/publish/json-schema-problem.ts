import { isJsonObject, numberText } from '@heddle/core-api/internal'

const typeNames = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

type Rule = (value: unknown) => boolean

const isText: Rule = (value) => typeof value === 'string'
const isNumber: Rule = (value) => numberText(value) !== undefined
const isCount: Rule = (value) => isNumber(value) && Number(value) >= 0 && Number.isInteger(Number(value))
const isTextList: Rule = (value) => Array.isArray(value) && value.every(isText)
const isType: Rule = (value) =>
  typeNames.includes(value as string) || (Array.isArray(value) && value.every((name) => typeNames.includes(name as string)))

const rules = new Map<string, { rule: Rule; expected: string }>([
  ['type', { rule: isType, expected: `one of ${typeNames.join(', ')}, or a list of them` }],
  ['enum', { rule: Array.isArray, expected: 'a list' }],
  ['required', { rule: isTextList, expected: 'a list of names' }],
  ...['minimum', 'maximum', 'multipleOf'].map((key) => [key, { rule: isNumber, expected: 'a number' }] as const),
  ...['exclusiveMinimum', 'exclusiveMaximum'].map(
    (key) => [key, { rule: (value: unknown) => isNumber(value) || typeof value === 'boolean', expected: 'a number' }] as const,
  ),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (key) => [key, { rule: isCount, expected: 'an integer of at least 0' }] as const,
  ),
  ...['title', 'description', 'pattern', 'format', '$ref', '$schema', '$id'].map(
    (key) => [key, { rule: isText, expected: 'a text' }] as const,
  ),
])

/** Keys that hold one schema, a list of schemas, or schemas by name. */
const oneSchema = new Set(['additionalProperties', 'additionalItems', 'not', 'contains', 'propertyNames', 'if', 'then', 'else'])
const schemaLists = new Set(['allOf', 'anyOf', 'oneOf'])
const schemaMaps = new Set(['properties', 'patternProperties', 'definitions', '$defs'])

/** The first location where a value is not a JSON Schema, as text; undefined if it is one. Unknown keywords pass. `at` is the path so far. */
export function findSchemaProblem(schema: unknown, at = 'schema'): string | undefined {
  if (!isJsonObject(schema)) return `${at} must be a JSON Schema object`
  for (const [key, value] of Object.entries(schema)) {
    const problem = findKeywordProblem(key, value, `${at}.${key}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findKeywordProblem(key: string, value: unknown, at: string): string | undefined {
  const known = rules.get(key)
  if (known !== undefined) return known.rule(value) ? undefined : `${at} must be ${known.expected}`
  if (oneSchema.has(key)) return findSubschemaProblem(value, at)
  if (key === 'items') return Array.isArray(value) ? firstProblem(value.entries(), at) : findSubschemaProblem(value, at)
  if (schemaLists.has(key))
    return Array.isArray(value) && value.length > 0 ? firstProblem(value.entries(), at) : `${at} must be a list of schemas`
  if (schemaMaps.has(key)) return isJsonObject(value) ? firstProblem(Object.entries(value), at) : `${at} must map names to schemas`
  return undefined
}

function firstProblem(schemas: Iterable<[string | number, unknown]>, at: string): string | undefined {
  for (const [key, schema] of schemas) {
    const problem = findSubschemaProblem(schema, `${at}.${key}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function findSubschemaProblem(schema: unknown, at: string): string | undefined {
  return typeof schema === 'boolean' ? undefined : findSchemaProblem(schema, at)
}
