import { leadsToInteger } from '../frames/integer.ts'
import type { SchemaNode } from './schema-node.ts'

/**
 * Takes out of the graph what no finite document can fulfil, such as an object that must hold itself, so that whatever may be written can be completed.
 * Returns whether the root can be fulfilled. Alternatives that lead to themselves alone fall out as well. Takes time by the edges of the graph.
 */
export function pruneImpossible(root: SchemaNode): boolean {
  const nodes = reachableFrom(root)
  const possible = findPossible(nodes)
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

/** What a node waits for until it is known to be possible: all of `of`, or any of them. Null: it is never possible. */
interface Needs {
  of: readonly SchemaNode[]
  any: boolean
}

function findPossible(nodes: ReadonlySet<SchemaNode>): Set<SchemaNode> {
  const waiting = new Map<SchemaNode, { node: SchemaNode; any: boolean }[]>()
  const missing = new Map<SchemaNode, number>()
  const possible = new Set<SchemaNode>()
  for (const node of nodes) {
    const needs = needsOf(node)
    if (needs === null) continue
    if (needs.of.length === 0 && !needs.any) possible.add(node)
    missing.set(node, needs.of.length)
    for (const child of needs.of) {
      const parents = waiting.get(child) ?? []
      waiting.set(child, parents)
      parents.push({ node, any: needs.any })
    }
  }
  for (const child of possible) {
    for (const { node, any } of waiting.get(child) ?? []) {
      const left = missing.get(node)! - 1
      missing.set(node, left)
      if (any || left === 0) possible.add(node)
    }
  }
  return possible
}

const nothing: Needs = { of: [], any: false }

function needsOf(node: SchemaNode): Needs | null {
  const when = (isPossible: boolean) => (isPossible ? nothing : null)
  switch (node.kind) {
    case 'literal':
      return when(node.tree.children.size > 0)
    case 'string':
      return when(node.bounds.min <= node.bounds.max)
    case 'number':
      return nothing
    case 'integer':
      return when(leadsToInteger(node.bounds))
    case 'array':
      if (node.min > node.max) return null
      if (node.min === 0) return nothing
      return node.items === null ? null : { of: [node.items], any: false }
    case 'object': {
      const required = node.values.filter((_, place) => (node.required & (1n << BigInt(place))) !== 0n)
      const values = required.filter((value) => value !== null)
      return values.length < required.length ? null : { of: values, any: false }
    }
    case 'choice':
      return { of: node.alternatives, any: true }
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
