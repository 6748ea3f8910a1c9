import type { Tool } from '../tool.ts'
import { jsonSchemaOf } from './describe-tool.ts'
import { type Definitions, resolveNode, type SchemaNode } from './schema-node.ts'

const known = new WeakMap<Tool, ReadonlyMap<string, number>>()

/** How many entries the lists among the arguments of a tool may have at most, by name; infinity where no maximum is declared. */
export function listBounds(tool: Tool): ReadonlyMap<string, number> {
  const bounds = known.get(tool) ?? readBounds(tool)
  known.set(tool, bounds)
  return bounds
}

function readBounds({ input, operation }: Tool): ReadonlyMap<string, number> {
  const schema = jsonSchemaOf(input, operation) as { properties?: Record<string, SchemaNode>; $defs?: Definitions }
  return new Map(
    Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
      const { type, maxItems = Infinity } = resolveNode(node, schema.$defs ?? {})
      return type === 'array' ? [[name, maxItems] as const] : []
    }),
  )
}
