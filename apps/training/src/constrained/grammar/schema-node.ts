import type { DecimalBounds } from './decimal-bounds.ts'
import type { IntegerBounds } from './integer-bounds.ts'
import type { LiteralTree } from './literal-tree.ts'
import type { StringBounds } from './pattern-automaton.ts'
import type { NameState } from './name-automaton.ts'
import type { PatternState } from './pattern-automaton.ts'
import type { PropertyNames } from './property-names.ts'

/** A JSON schema as it is followed. Nodes of a recursive schema refer to each other in a circle. */
export type SchemaNode = LeafNode | ObjectNode | ArrayNode | ChoiceNode

export type LeafNode =
  | { kind: 'literal'; tree: LiteralTree }
  | { kind: 'string'; bounds: StringBounds }
  /** Null: no string is possible. `max` characters, or Infinity. */
  | { kind: 'pattern'; start: PatternState | null; max: number }
  /** Null: no bounds. */
  | { kind: 'number'; bounds: DecimalBounds | null }
  | { kind: 'integer'; bounds: IntegerBounds }

export interface ObjectNode {
  kind: 'object'
  names: PropertyNames
  /** Schemas of the properties, in the order of `names`. Null: no value is possible, so the property is not allowed. */
  values: (SchemaNode | null)[]
  /** A bit for each required property. */
  required: bigint
  /** Properties of other names; null: there are none. */
  others: OtherProperties | null
  /** How many properties there are, all together. `max` may be Infinity. */
  min: number
  max: number
}

export interface OtherProperties {
  /** Spelling of other names. */
  start: NameState
  /** By the kind of a state. Null: no value is possible, so such names are not allowed. */
  values: (SchemaNode | null)[]
}

export interface ArrayNode {
  kind: 'array'
  /** Schemas of the first elements, one by one. */
  prefix: SchemaNode[]
  /** Schema of the remaining elements. Null: no value is possible, so there are none. */
  items: SchemaNode | null
  min: number
  /** Infinity: any number. */
  max: number
  /** Location of the keyword that forbids equal elements; null if there is none. `keepDistinct` has converted the elements to such forms. */
  distinctAt: string | null
}

/** Any one of the alternatives; never none when the schema is complete. */
export interface ChoiceNode {
  kind: 'choice'
  alternatives: SchemaNode[]
}
