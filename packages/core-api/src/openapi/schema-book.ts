import { z } from 'zod'

/** A JSON Schema, or any other object of an OpenAPI document. */
export type DocumentNode = Record<string, unknown>

/** Turns schemas into JSON Schema; those with an id become components, once. */
export interface SchemaBook {
  /** The shape that a caller sends. */
  input(schema: z.ZodType): DocumentNode
  /** The shape that a caller receives. Later versions may add keys. */
  output(schema: z.ZodType): DocumentNode
  /** What `components.schemas` holds, sorted by name. */
  components(): DocumentNode
}

const definitions = '#/$defs/'

/**
 * Starts an empty book.
 * The book throws an Error when two different schemas have one id.
 */
export function createSchemaBook(): SchemaBook {
  const found = new Map<string, DocumentNode>()

  const convert = (schema: z.ZodType, io: 'input' | 'output'): DocumentNode => {
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, { io, override: ({ zodSchema, jsonSchema }) => openUp(zodSchema, jsonSchema, io) })
    for (const [id, definition] of Object.entries($defs ?? {})) add(id, definition as DocumentNode)
    return pointToComponents(root) as DocumentNode
  }

  const add = (id: string, definition: DocumentNode): void => {
    const { id: _, ...component } = pointToComponents(definition) as DocumentNode
    const known = found.get(id)
    if (known && JSON.stringify(known) !== JSON.stringify(component))
      throw new Error(`two different schemas share the id "${id}"; rename one`)
    found.set(id, component)
  }

  return {
    input: (schema) => convert(schema, 'input'),
    output: (schema) => convert(schema, 'output'),
    components: () => Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function openUp(schema: z.core.$ZodTypes, jsonSchema: DocumentNode, io: 'input' | 'output'): void {
  const definition = schema._zod.def
  if (io === 'output' && definition.type === 'object' && definition.catchall === undefined) delete jsonSchema['additionalProperties']
}

function pointToComponents(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(pointToComponents)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' ? toComponentRef(value) : pointToComponents(value)]),
  )
}

function toComponentRef(ref: unknown): unknown {
  return typeof ref === 'string' && ref.startsWith(definitions) ? `#/components/schemas/${ref.slice(definitions.length)}` : ref
}
