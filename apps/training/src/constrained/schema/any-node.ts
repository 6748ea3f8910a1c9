import { createLiteralTree } from '../frames/literal.ts'
import { createPropertyNames } from '../frames/property-names.ts'
import type { ChoiceNode, ObjectNode } from './schema-node.ts'

const constants = ['true', 'false', 'null'].map((text) => new TextEncoder().encode(text))

/** Any JSON value. */
export const anyNode: ChoiceNode = { kind: 'choice', alternatives: [] }

/** Any JSON object. */
export const anyObject: ObjectNode = { kind: 'object', names: createPropertyNames([]), values: [], required: 0n, additional: anyNode }

anyNode.alternatives.push(
  { kind: 'literal', tree: createLiteralTree(constants) },
  { kind: 'string', bounds: { min: 0, max: Infinity } },
  { kind: 'number' },
  anyObject,
  { kind: 'array', items: anyNode, min: 0, max: Infinity },
)
