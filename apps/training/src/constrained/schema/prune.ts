import { leadsToDecimal } from '../grammar/decimal-bounds.ts'
import { leadsToInteger } from '../grammar/integer-bounds.ts'
import { childrenOf } from '../grammar/children-of.ts'
import { withPossibleKinds } from '../grammar/name-automaton.ts'
import type { ObjectNode, OtherProperties, SchemaNode } from '../grammar/schema-node.ts'

/**
 * Removes nodes from the graph that no finite document can satisfy, such as an object that must contain itself, so that every permitted prefix can be
 * completed. Returns whether the root can be satisfied. Alternatives that lead only to themselves are removed as well. Takes time linear in the
 * edges.
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

/** Conditions under which a node is possible: from each group, nodes of this total weight. Null: it is never possible. */
type Needs = readonly Group[] | null

interface Group {
  of: readonly { node: SchemaNode; weight: number }[]
  atLeast: number
}

interface WaitingGroup {
  node: SchemaNode
  missing: number
}

function findPossible(nodes: ReadonlySet<SchemaNode>): Set<SchemaNode> {
  /** By the nodes that are waited for. */
  const waiting = new Map<SchemaNode, { group: WaitingGroup; weight: number }[]>()
  const openGroups = new Map<SchemaNode, number>()
  const possible = new Set<SchemaNode>()
  for (const node of nodes) {
    const needs = needsOf(node)
    if (needs === null) continue
    const groups = needs.filter(({ atLeast }) => atLeast > 0)
    if (groups.length === 0) possible.add(node)
    openGroups.set(node, groups.length)
    for (const { of, atLeast } of groups) {
      const group: WaitingGroup = { node, missing: atLeast }
      for (const { node: child, weight } of of) {
        const parents = waiting.get(child) ?? []
        waiting.set(child, parents)
        parents.push({ group, weight })
      }
    }
  }
  for (const child of possible) {
    for (const { group, weight } of waiting.get(child) ?? []) {
      if (group.missing <= 0) continue
      group.missing -= weight
      if (group.missing > 0) continue
      const left = openGroups.get(group.node)! - 1
      openGroups.set(group.node, left)
      if (left === 0) possible.add(group.node)
    }
  }
  return possible
}

const allOf = (nodes: readonly SchemaNode[]): Group => ({ of: nodes.map((node) => ({ node, weight: 1 })), atLeast: nodes.length })

function needsOf(node: SchemaNode): Needs {
  const when = (isPossible: boolean) => (isPossible ? [] : null)
  switch (node.kind) {
    case 'literal':
      return when(node.tree.children.size > 0)
    case 'pattern':
      return when(node.start !== null)
    case 'string':
      return when(node.bounds.min <= node.bounds.max)
    case 'number':
      return when(node.bounds === null || leadsToDecimal(node.bounds))
    case 'integer':
      return when(leadsToInteger(node.bounds))
    case 'array': {
      if (node.min > node.max) return null
      const first = node.prefix.slice(0, node.min)
      if (node.min <= node.prefix.length) return [allOf(first)]
      return node.items === null ? null : [allOf([...first, node.items])]
    }
    case 'object':
      return needsOfObject(node)
    case 'choice':
      return [{ of: node.alternatives.map((alternative) => ({ node: alternative, weight: 1 })), atLeast: 1 }]
  }
}

function needsOfObject({ values, required, others, min, max }: ObjectNode): Needs {
  const needed = values.filter((_, index) => (required & (1n << BigInt(index))) !== 0n)
  const possible = needed.filter((value) => value !== null)
  if (possible.length < needed.length || needed.length > max || min > max) return null
  const any = [
    ...values.flatMap((node) => (node === null ? [] : [{ node, weight: 1 }])),
    ...(others?.values ?? []).flatMap((node) => (node === null ? [] : [{ node, weight: Infinity }])),
  ]
  return [allOf(possible), { of: any, atLeast: min }]
}

function dropImpossible(node: SchemaNode, possible: ReadonlySet<SchemaNode>): void {
  const keep = (child: SchemaNode | null) => (child !== null && possible.has(child) ? child : null)
  if (node.kind === 'choice') node.alternatives = node.alternatives.filter((alternative) => possible.has(alternative))
  if (node.kind === 'array') {
    const impossible = node.prefix.findIndex((each) => !possible.has(each))
    node.items = impossible === -1 ? keep(node.items) : null
    if (impossible !== -1) node.prefix = node.prefix.slice(0, impossible)
  }
  if (node.kind === 'object') {
    node.values = node.values.map(keep)
    if (node.others !== null) node.others = keepOthers(node.others, keep)
  }
}

function keepOthers({ start, values }: OtherProperties, keep: (child: SchemaNode | null) => SchemaNode | null): OtherProperties | null {
  const kept = values.map(keep)
  if (values.every((value, kind) => value === kept[kind])) return { start, values }
  const left = kept.every((value) => value === null) ? null : withPossibleKinds(start, (kind) => kept[kind] !== null)
  return left && { start: left, values: kept }
}
