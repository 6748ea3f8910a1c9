/** A JSON Schema as a tree that any client reads: without references, unions with null, and defaults that say nothing. */
export type PlainSchema = Record<string, unknown>

interface SchemaNode {
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

export interface PlainOptions {
  /** Levels of objects and lists that are written out; deeper ones say their type alone. */
  maxDepth: number
  /** Levels that keep the first sentence of their descriptions, from 1; 0 for none. */
  describedDepth: number
  /** Whether to say which fields of objects are required. */
  required: boolean
  /** Whether values may be null: what is answered, and not what is taken, where null means absent. */
  nulls: boolean
}

type Definitions = Readonly<Record<string, unknown>>

/** Writes a schema plainly. `definitions` are what its `$ref`s point to. */
export function toPlainSchema(schema: unknown, definitions: Definitions, options: PlainOptions): PlainSchema {
  return plain(schema as SchemaNode, 0)

  function plain(given: SchemaNode, depth: number): PlainSchema {
    const { description } = given
    const node = resolve(given)
    const text = depth <= options.describedDepth ? firstSentence(description ?? node.description) : undefined
    const shape = shapeOf(node, depth)
    const type = shape['type']
    const withNull = options.nulls && isNullable(given) && type !== undefined ? { type: [type, 'null'].flat() } : {}
    return { ...shape, ...withNull, ...(text && { description: text }) }
  }

  function resolve(node: SchemaNode): SchemaNode {
    if (node.$ref !== undefined) return resolve(definitions[node.$ref.slice('#/$defs/'.length)] as SchemaNode)
    const choices = node.anyOf?.map(resolve).filter(({ type }) => type !== 'null')
    if (choices?.length === 1 && choices[0])
      return { ...choices[0], ...(node.description !== undefined && { description: node.description }) }
    return node
  }

  function shapeOf(node: SchemaNode, depth: number): PlainSchema {
    const type = typeOf(node)
    if (type === 'array') {
      const items = node.items && (depth < options.maxDepth || isScalar(node.items)) ? plain(node.items, depth + 1) : undefined
      return { type, ...(items && Object.keys(items).length > 0 && { items }) }
    }
    if (type === 'object') return { type, ...membersOf(node, depth) }
    const { minimum, maximum } = node
    return {
      ...(type !== undefined && { type }),
      ...(node.enum && { enum: node.enum }),
      ...(node.const !== undefined && { const: node.const }),
      ...(minimum !== undefined && minimum !== 1 && Math.abs(minimum) < Number.MAX_SAFE_INTEGER && { minimum }),
      ...(maximum !== undefined && Math.abs(maximum) < Number.MAX_SAFE_INTEGER && { maximum }),
    }
  }

  function membersOf(node: SchemaNode, depth: number): PlainSchema {
    if (!node.properties || depth >= options.maxDepth) return {}
    const properties = Object.fromEntries(Object.entries(node.properties).map(([name, member]) => [name, plain(member, depth + 1)]))
    return {
      properties,
      ...(node.required?.length && options.required && { required: node.required }),
    }
  }
}

function isNullable({ type, anyOf }: SchemaNode): boolean {
  return (Array.isArray(type) && type.includes('null')) || (anyOf?.some((choice) => choice.type === 'null') ?? false)
}

function isScalar({ type }: SchemaNode): boolean {
  return typeof type === 'string' && type !== 'object' && type !== 'array'
}

/** One type, or several that are not null; undefined for any. */
function typeOf({ type, anyOf, properties }: SchemaNode): string | string[] | undefined {
  if (typeof type === 'string') return type
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== 'null')
    return types.length === 1 ? types[0] : types
  }
  if (properties) return 'object'
  const types = [...new Set(anyOf?.map((choice) => choice.type).filter((one) => typeof one === 'string') ?? [])]
  return types.length > 1 ? types : types[0]
}

/** Documents are read as a whole; a listing costs tokens in every conversation. */
function firstSentence(text: string | undefined): string | undefined {
  const end = text?.search(/\.\s/) ?? -1
  return end < 0 ? text : text?.slice(0, end)
}
