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
  minimum?: number
  minProperties?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  prefixItems?: Schema[]
}

/** A place of a request, and what belongs there. */
export interface Place {
  /** Keys and positions; `key` stands for any key of a dictionary. */
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
  const below = [
    ...Object.entries(properties),
    ...(items ? [['0', items] as const] : []),
    ...(typeof values === 'object' && Object.keys(values).length > 0 ? [['key', values] as const] : []),
  ].flatMap(([key, inner]) => placesOf(inner, root, [...path, key]))
  return path.length === 0 ? below : [{ path, schema: { ...own, ...(items && { items }) } }, ...below]
}

/** Values that fit by their names where a schema says only that they are texts. */
const known: Readonly<Record<string, string>> = {
  project_id: 'test/p',
  entity: 'test',
  entity_name: 'test',
  project_name: 'p',
  weave_ref: 'weave:///test/p/call/c',
  start: '2026-03-01',
  end: '2026-03-02',
  model_id: '00000000-0000-4000-8000-000000000000',
}

/** Makes values that a schema accepts, with ids that none of them share. */
export function createSamples(): (schema: Schema, root: Schema, name?: string) => unknown {
  let ids = 0
  function sample(given: Schema, root: Schema, name = ''): unknown {
    const schema = resolved(given, root)
    const fitting = known[name]
    if (fitting !== undefined) return fitting
    if (name === 'id' || name === 'trace_id') return `id-${ids++}`
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
        return []
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
