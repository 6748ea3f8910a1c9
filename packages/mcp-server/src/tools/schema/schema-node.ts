/** The parts of a JSON Schema that are used in listings. */
export interface SchemaNode {
  $ref?: string
  type?: string | string[]
  anyOf?: SchemaNode[]
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  additionalProperties?: unknown
  required?: string[]
  enum?: unknown[]
  const?: unknown
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxItems?: number
}

/** What `$ref`s point to, by name. */
export type Definitions = Readonly<Record<string, unknown>>

/** The node without its reference, and without a union with null. */
export function resolveNode(node: SchemaNode, definitions: Definitions): SchemaNode {
  if (node.$ref !== undefined) return resolveNode(definitions[node.$ref.slice('#/$defs/'.length)] as SchemaNode, definitions)
  const choices = choicesOf(node, definitions)
  if (choices.length !== 1 || !choices[0]) return node
  return { ...choices[0], ...(node.description !== undefined && { description: node.description }) }
}

/** The non-null members of a union; empty for a node that is not a union. */
export function choicesOf({ anyOf = [] }: SchemaNode, definitions: Definitions): SchemaNode[] {
  return anyOf.map((choice) => resolveNode(choice, definitions)).filter(({ type }) => type !== 'null')
}

export function isNullable({ type, anyOf }: SchemaNode): boolean {
  return (Array.isArray(type) && type.includes('null')) || (anyOf?.some((choice) => choice.type === 'null') ?? false)
}

/** One type, or several that are not null; undefined for any. */
export function typeOf({ type, anyOf, properties }: SchemaNode): string | string[] | undefined {
  if (typeof type === 'string') return type
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null')
    return types.length === 1 ? types[0] : types
  }
  if (properties) return 'object'
  const types = [...new Set(anyOf?.map((choice) => choice.type).filter((one) => typeof one === 'string') ?? [])]
  return types.length > 1 ? types : types[0]
}
