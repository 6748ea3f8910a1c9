import { type Definitions, resolveNode, type SchemaNode, typeOf } from './schema-node.ts'

/** A JSON Schema as a tree that any client reads: without references, unions with null, and redundant defaults. */
export type PlainSchema = Record<string, unknown>

export interface PlainOptions {
  /** Levels of objects and lists that are written out; deeper ones only have their type. */
  maxDepth: number
  /** Levels that keep the first sentence of their descriptions, from 1. */
  describedDepth: number
}

/** Writes the schema of arguments plainly: null means absent there. `definitions` are the targets of its `$ref`s. */
export function toPlainSchema(schema: unknown, definitions: Definitions, options: PlainOptions): PlainSchema {
  return plain(schema as SchemaNode, 0)

  function plain(given: SchemaNode, depth: number): PlainSchema {
    const node = resolveNode(given, definitions)
    const text = depth <= options.describedDepth ? firstSentence(given.description ?? node.description) : undefined
    return { ...shapeOf(node, depth), ...(text && { description: text }) }
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
      ...(minimum !== undefined && minimum > 1 && { minimum }),
      ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    }
  }

  function membersOf(node: SchemaNode, depth: number): PlainSchema {
    if (!node.properties || depth >= options.maxDepth) return {}
    const properties = Object.fromEntries(Object.entries(node.properties).map(([name, member]) => [name, plain(member, depth + 1)]))
    return { properties, ...(node.required?.length && { required: node.required }) }
  }
}

function isScalar({ type }: SchemaNode): boolean {
  return typeof type === 'string' && type !== 'object' && type !== 'array'
}

/** Documents are read as a whole; a listing costs tokens in every conversation. */
function firstSentence(text: string | undefined): string | undefined {
  const end = text?.search(/\.\s/) ?? -1
  return end < 0 ? text : text?.slice(0, end)
}
