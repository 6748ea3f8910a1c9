import type { IntegerBounds } from '../frames/integer.ts'
import type { LiteralTree } from '../frames/literal.ts'
import type { StringBounds } from '../frames/string.ts'
import type { PropertyNames } from '../frames/property-names.ts'

/** A JSON schema as it is followed. Nodes of a recursive schema refer to each other in a circle. */
export type SchemaNode =
  | { kind: 'literal'; tree: LiteralTree }
  | { kind: 'string'; bounds: StringBounds }
  | { kind: 'number' }
  | { kind: 'integer'; bounds: IntegerBounds }
  | ObjectNode
  | ArrayNode
  | ChoiceNode

export interface ObjectNode {
  kind: 'object'
  names: PropertyNames
  /** Of the properties, in the order of `names`. Null: no value is possible, so the property is not allowed. */
  values: (SchemaNode | null)[]
  /** A bit for each required property. */
  required: bigint
  /** Of other properties; null: there are none. */
  additional: SchemaNode | null
}

export interface ArrayNode {
  kind: 'array'
  /** Null: no value is possible, so the list is empty. */
  items: SchemaNode | null
  min: number
  /** Infinity: any number. */
  max: number
}

/** Any one of the alternatives; never none when the schema is complete. */
export interface ChoiceNode {
  kind: 'choice'
  alternatives: SchemaNode[]
}
