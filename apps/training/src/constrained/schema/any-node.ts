import { createLiteralTree } from '../grammar/literal-tree.ts'
import { createPropertyNames } from '../grammar/property-names.ts'
import { anyName } from '../grammar/name-automaton.ts'
import type { ChoiceNode, ObjectNode } from '../grammar/schema-node.ts'

const constants = ['true', 'false', 'null'].map((text) => new TextEncoder().encode(text))

/** Any JSON value. */
export const anyNode: ChoiceNode = { kind: 'choice', alternatives: [] }

/** Any JSON object. */
export const anyObject: ObjectNode = {
  kind: 'object',
  names: createPropertyNames([]),
  values: [],
  required: 0n,
  others: { start: anyName, values: [anyNode] },
  min: 0,
  max: Infinity,
}

anyNode.alternatives.push(
  { kind: 'literal', tree: createLiteralTree(constants) },
  { kind: 'string', bounds: { min: 0, max: Infinity } },
  { kind: 'number', bounds: null },
  anyObject,
  { kind: 'array', prefix: [], items: anyNode, min: 0, max: Infinity, distinctAt: null },
)
