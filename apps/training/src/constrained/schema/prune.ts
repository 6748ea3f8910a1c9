import { leadsToInteger } from '../frames/integer.ts'
import type { SchemaNode } from './schema-node.ts'

/**
 * Takes out of the graph what no finite document can fulfil, such as an object that must hold itself, so that whatever may be written can be completed.
 * Returns whether the root can be fulfilled. Alternatives that lead to themselves alone fall out as well.
 */
export function pruneImpossible(root: SchemaNode): boolean {
  const nodes = reachableFrom(root)
  const possible = new Set<SchemaNode>()
  for (let grew = true; grew;) {
    grew = false
    for (const node of nodes) {
      if (possible.has(node) || !isPossible(node, possible)) continue
      possible.add(node)
      grew = true
    }
  }
  for (const node of nodes) dropImpossible(node, possible)
  return possible.has(root)
}

function reachableFrom(root: SchemaNode): Set<SchemaNode> {
  const nodes = new Set([root])
  for (const node of nodes) for (const child of childrenOf(node)) nodes.add(child)
  return nodes
}

function childrenOf(node: SchemaNode): SchemaNode[] {
  if (node.kind === 'choice') return node.alternatives
  if (node.kind === 'array') return node.items === null ? [] : [node.items]
  if (node.kind === 'object') return [...node.values, node.additional].filter((value) => value !== null)
  return []
}

function isPossible(node: SchemaNode, possible: ReadonlySet<SchemaNode>): boolean {
  switch (node.kind) {
    case 'literal':
      return node.tree.children.size > 0
    case 'string':
      return node.bounds.min <= node.bounds.max
    case 'number':
      return true
    case 'integer':
      return leadsToInteger(node.bounds)
    case 'array':
      return node.min <= node.max && (node.min === 0 || (node.items !== null && possible.has(node.items)))
    case 'object':
      return node.values.every((value, place) => (node.required & (1n << BigInt(place))) === 0n || (value !== null && possible.has(value)))
    case 'choice':
      return node.alternatives.some((alternative) => possible.has(alternative))
  }
}

function dropImpossible(node: SchemaNode, possible: ReadonlySet<SchemaNode>): void {
  const keep = (child: SchemaNode | null) => (child !== null && possible.has(child) ? child : null)
  if (node.kind === 'choice') node.alternatives = node.alternatives.filter((alternative) => possible.has(alternative))
  if (node.kind === 'array') node.items = keep(node.items)
  if (node.kind === 'object') {
    node.values = node.values.map(keep)
    node.additional = keep(node.additional)
  }
}
