import { stringifyJson } from '@heddle/json'
import { admitsDecimal } from '../grammar/decimal-bounds.ts'
import { admitsInteger } from '../grammar/integer-bounds.ts'
import { admitsText } from '../grammar/literal-tree.ts'
import { stateBehind } from '../grammar/pattern-automaton.ts'
import type { ArrayNode, LeafNode, ObjectNode, SchemaNode } from '../grammar/schema-node.ts'
import { isNumber, isSchemaObject } from './schema-keywords.ts'

/** True if the node permits the value, whatever the order of its properties. */
export function admits(node: SchemaNode, value: unknown, passed: ReadonlySet<SchemaNode> = new Set()): boolean {
  switch (node.kind) {
    case 'choice':
      // A choice that leads back to itself adds nothing.
      return !passed.has(node) && node.alternatives.some((each) => admits(each, value, new Set([...passed, node])))
    case 'object':
      return isSchemaObject(value) && admitsObject(node, value)
    case 'array':
      return Array.isArray(value) && admitsArray(node, value)
    default:
      return admitsLeaf(node, value)
  }
}

function admitsLeaf(node: LeafNode, value: unknown): boolean {
  switch (node.kind) {
    case 'literal':
      return admitsText(node.tree, new TextEncoder().encode(stringifyJson(value)))
    case 'string':
      return typeof value === 'string' && isBetween([...value].length, node.bounds)
    case 'pattern':
      return typeof value === 'string' && admitsString(node, value)
    case 'number':
      return isNumber(value) && (node.bounds === null || admitsDecimal(node.bounds, value))
    case 'integer':
      return isNumber(value) && admitsInteger(node.bounds, value)
  }
}

function isBetween(count: number, { min, max }: { min: number; max: number }): boolean {
  return count >= min && count <= max
}

function admitsString({ start, max }: Extract<LeafNode, { kind: 'pattern' }>, text: string): boolean {
  return start !== null && [...text].length <= max && stateBehind(start, text)?.isEnd === true
}

function admitsObject(node: ObjectNode, value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(value)
  let seen = 0n
  const isEachAllowed = entries.every(([name, own]) => {
    const place = placeOfName(node, name)
    if (place !== null) seen |= 1n << BigInt(place)
    const kind = node.others === null ? null : (stateBehind(node.others.start, name)?.kind ?? null)
    const schema = place !== null ? node.values[place]! : kind === null ? null : node.others!.values[kind]!
    return schema !== null && admits(schema, own)
  })
  return isEachAllowed && (node.required & ~seen) === 0n && isBetween(entries.length, node)
}

function placeOfName({ names }: ObjectNode, name: string): number | null {
  let tree: ObjectNode['names'] | undefined = names
  for (const byte of new TextEncoder().encode(JSON.stringify(name).slice(1, -1))) tree = tree?.children.get(byte)
  return tree?.property ?? null
}

function admitsArray(node: ArrayNode, value: readonly unknown[]): boolean {
  if (!isBetween(value.length, node)) return false
  if (node.distinctAt !== null && new Set(value.map((each) => stringifyJson(each))).size < value.length) return false
  return value.every((each, at) => {
    const schema = node.prefix[at] ?? node.items
    return schema !== null && admits(schema, each)
  })
}
