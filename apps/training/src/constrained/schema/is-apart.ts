import { stringifyJson } from '@heddle/json'
import { resolveReference } from './resolve-reference.ts'
import { isSchemaObject, type SchemaObject } from './schema-keywords.ts'

/** True if a quick check shows that no value satisfies both schemas: types, constants, or constants of a property that one of them requires. */
export function isApart(a: unknown, b: unknown, root: unknown): boolean {
  const [first, second] = [followed(a, root), followed(b, root)]
  if (first === null || second === null) return false
  return (
    areTypesApart(first, second) ||
    areConstantsApart(first, second) ||
    haveConstantsApart(first, second) ||
    haveConstantsApart(second, first)
  )
}

const maxReferences = 10

function followed(schema: unknown, root: unknown): SchemaObject | null {
  let target = schema
  for (let count = 0; count < maxReferences && isSchemaObject(target) && target['$ref'] !== undefined; count += 1)
    target = resolveReference(root, target['$ref'], '')
  return isSchemaObject(target) && target['nullable'] !== true ? target : null
}

function areTypesApart(a: SchemaObject, b: SchemaObject): boolean {
  const [first, second] = [typesOf(a), typesOf(b)]
  return first !== null && second !== null && first.every((type) => !second.includes(type))
}

/** Null for any. Every integer is a number. */
function typesOf({ type }: SchemaObject): unknown[] | null {
  if (type === undefined) return null
  const types: unknown[] = Array.isArray(type) ? type : [type]
  return types.map((each) => (each === 'integer' ? 'number' : each))
}

function areConstantsApart(a: SchemaObject, b: SchemaObject): boolean {
  const [first, second] = [constantsOf(a), constantsOf(b)]
  return first !== null && second !== null && first.every((text) => !second.includes(text))
}

function constantsOf(schema: SchemaObject): string[] | null {
  const values: unknown = schema['const'] === undefined ? schema['enum'] : [schema['const']]
  return Array.isArray(values) && values.length <= 100 ? values.map((value) => stringifyJson(value)) : null
}

/** The first requires a property whose constants the second does not have. */
function haveConstantsApart(a: SchemaObject, b: SchemaObject): boolean {
  const [own, other] = [a['properties'], b['properties']]
  if (!isSchemaObject(own) || !isSchemaObject(other) || !Array.isArray(a['required'])) return false
  return a['required'].some((name) => {
    const [first, second] = [own[String(name)], other[String(name)]]
    if (!isSchemaObject(first) || !isSchemaObject(second) || first['nullable'] === true || second['nullable'] === true) return false
    return areConstantsApart(first, second) || areTypesApart(first, second)
  })
}
