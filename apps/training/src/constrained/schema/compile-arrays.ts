import type { SchemaPart } from './conjunction.ts'
import { readBounds } from './read-bounds.ts'
import { placeOf, SchemaError } from '../grammar/schema-error.ts'
import type { SchemaObject } from './schema-keywords.ts'
import type { ArrayNode, SchemaNode } from '../grammar/schema-node.ts'

/** Compiles what holds for one value. */
export type CompileAll = (schemas: readonly SchemaPart[]) => SchemaNode

/** Schemas of the first elements, and of those behind them; undefined: any. */
interface Elements {
  first: readonly SchemaPart[]
  rest: SchemaPart | undefined
}

/** The lists that all parts allow. */
export function compileArrays(parts: readonly SchemaPart<SchemaObject>[], compileAll: CompileAll): ArrayNode {
  const elements = parts.map(elementsOf)
  const at = (index: number) => elements.flatMap(({ first, rest }) => first[index] ?? rest ?? [])
  const count = Math.max(0, ...elements.map(({ first }) => first.length))
  const distinct = parts.find(({ schema }) => schema['uniqueItems'] === true)
  return {
    kind: 'array',
    prefix: Array.from({ length: count }, (_, index) => compileAll(at(index))),
    items: compileAll(at(count)),
    ...readBounds(parts, 'minItems', 'maxItems'),
    distinctAt: distinct?.pointer ?? null,
  }
}

/** Older drafts have the first elements as a list of `items`, and `additionalItems` behind them. */
function elementsOf({ schema, pointer }: SchemaPart<SchemaObject>): Elements {
  const { prefixItems, items, additionalItems } = schema
  if (prefixItems !== undefined && !Array.isArray(prefixItems)) {
    throw new SchemaError(`${placeOf(pointer)} has "prefixItems" that are not a list of schemas`)
  }
  const keyword = Array.isArray(items) ? 'items' : 'prefixItems'
  const first = (keyword === 'items' ? items : (prefixItems ?? [])) as readonly unknown[]
  const [rest, name] = keyword === 'items' ? [additionalItems, 'additionalItems'] : [items, 'items']
  return {
    first: first.map((each, index) => ({ schema: each, pointer: `${pointer}/${keyword}/${index}` })),
    rest: rest === undefined ? undefined : { schema: rest, pointer: `${pointer}/${name}` },
  }
}
