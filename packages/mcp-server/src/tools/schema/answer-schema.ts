import { choicesOf, type Definitions, isNullable, resolveNode, type SchemaNode, typeOf } from './schema-node.ts'

/** A JSON Schema that names each field of an answer, at every depth. */
export type AnswerSchema = Record<string, unknown>

/**
 * Names all fields of an answer, with the types of numbers and booleans, and what lists and objects hold. A field without a type is text, null, or a
 * recorded value: with types and choices of texts written out, the listing of all tools would cost an eighth more.
 */
export function toAnswerSchema(schema: unknown, definitions: Definitions): AnswerSchema {
  return answer(schema as SchemaNode)

  function answer(given: SchemaNode): AnswerSchema {
    const node = resolveNode(given, definitions)
    const members = membersOf(node)
    const isNull = isNullable(given)
    if (members) return isNull ? orNull('object', members) : members
    if (node.items) return isNull ? orNull('array', { items: answer(node.items) }) : { items: answer(node.items) }
    if (isNull) return {}
    const type = typeOf(node)
    return type === undefined || type === 'string' ? {} : { type }
  }

  /** Members of an object, of values by name, or of all objects in a union; undefined for a schema without fields. */
  function membersOf(node: SchemaNode): AnswerSchema | undefined {
    const shapes = [node, ...choicesOf(node, definitions)].flatMap(({ properties }) => (properties ? [properties] : []))
    if (shapes.length > 0) {
      const fields = shapes.flatMap((properties) => Object.entries(properties))
      return { properties: Object.fromEntries(fields.map(([name, member]) => [name, answer(member)])) }
    }
    const values = node.additionalProperties
    const named = typeof values === 'object' && values !== null ? answer(values as SchemaNode) : {}
    return named['properties'] ? { additionalProperties: named } : undefined
  }
}

function orNull(type: string, shape: AnswerSchema): AnswerSchema {
  return { type: [type, 'null'], ...shape }
}
