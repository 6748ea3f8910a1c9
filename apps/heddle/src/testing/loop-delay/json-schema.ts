/** The part of a JSON schema that requests use. */
export interface Schema {
  type?: string
  $ref?: string
  $defs?: Record<string, Schema>
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  minProperties?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  prefixItems?: Schema[]
}

/** A place of a request, and what belongs there. */
export interface Place {
  /** Keys and positions; `key` means any key of a dictionary. */
  path: string[]
  schema: Schema
}

const maxDepth = 7

/** Follows a reference. */
export function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split('/').pop()
  return name === undefined ? schema : (root.$defs?.[name] ?? {})
}

/** All places of a request. An operand of a query is looked into once. */
export function placesOf(schema: Schema, root: Schema, path: string[] = []): Place[] {
  const isRepeated = schema.$ref?.includes('QueryOperand') === true && path.filter((key) => key.startsWith('$')).length > 1
  if (path.length > maxDepth || isRepeated) return []
  const { anyOf, properties = {}, items, additionalProperties: values, ...own } = resolved(schema, root)
  if (anyOf) return anyOf.flatMap((one) => placesOf(one, root, path))
  const hasValues = typeof values === 'object' && Object.keys(values).length > 0
  const below = [
    ...Object.entries(properties),
    ...(items ? [['0', items] as const] : []),
    ...(hasValues ? [['key', values] as const] : []),
  ].flatMap(([key, inner]) => placesOf(inner, root, [...path, key]))
  const here = { ...own, ...(items && { items }), ...(hasValues && { additionalProperties: values }) }
  return path.length === 0 ? below : [{ path, schema: here }, ...below]
}

/** The places of a value of which no schema is known. */
export function placesIn(value: unknown, path: string[] = []): Place[] {
  if (path.length > maxDepth) return []
  const below =
    typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key])) : []
  const type = Array.isArray(value) ? 'array' : typeof value
  return path.length === 0 ? below : [{ path, schema: { type } }, ...below]
}

/** Makes values that a schema accepts. `known`: those that fit by their names where a schema says only that they are texts. */
export function createSamples(known: Readonly<Record<string, unknown>>): (schema: Schema, root: Schema, name?: string) => unknown {
  function sample(given: Schema, root: Schema, name = ''): unknown {
    const schema = resolved(given, root)
    const fitting = known[name]
    if (fitting !== undefined) return fitting
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    if (schema.default !== undefined && schema.default !== null) return schema.default
    if (schema.anyOf) return sample(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, root, name)
    if (schema.prefixItems) return schema.prefixItems.map((one) => sample(one, root))
    return ofType(schema, root, name)
  }
  function ofType(schema: Schema, root: Schema, name: string): unknown {
    switch (schema.type) {
      case 'object':
        if (schema.minProperties === 1) return { $literal: 1 }
        return Object.fromEntries((schema.required ?? []).map((key) => [key, sample(schema.properties?.[key] ?? {}, root, key)]))
      case 'array':
        return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}, root, name.replace(/s$/, '')))
      case 'string':
        return schema.format === 'date-time' || name.endsWith('ed_at') ? '2026-03-01T00:00:00Z' : 'a'
      case 'number':
      case 'integer':
        return schema.minimum ?? 1
      case 'boolean':
        return true
      default:
        return {}
    }
  }
  return sample
}
