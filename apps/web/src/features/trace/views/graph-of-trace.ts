import type { TreeCall, TreeNode } from '@heddle/trace-model'

interface NamedCall extends TreeCall {
  name: string
  status: string
}

/** All calls of one name. */
export interface GraphNode {
  name: string
  calls: number
  failed: number
  totalMs: number
  /** Id of the earliest. */
  first: string
}

/** How often calls of one name called those of another. */
export interface GraphEdge {
  from: string
  to: string
  calls: number
}

/** A larger drawing would be unreadable. */
export const maxNodes = 60

/** Which names called which, the most frequent names. */
export function graphOf<T extends NamedCall>(roots: readonly TreeNode<T>[]): { nodes: GraphNode[]; edges: GraphEdge[]; leftOut: number } {
  const byName = new Map<string, GraphNode>()
  const between = new Map<string, Map<string, number>>()
  const open = [...roots]
  for (const { call, children } of open) {
    const node = byName.get(call.name) ?? { name: call.name, calls: 0, failed: 0, totalMs: 0, first: call.id }
    node.calls++
    node.failed += call.status === 'error' ? 1 : 0
    node.totalMs += call.endedAt === null ? 0 : Math.max(0, call.endedAt - call.startedAt)
    byName.set(call.name, node)
    const called = between.get(call.name) ?? new Map<string, number>()
    for (const child of children) called.set(child.call.name, (called.get(child.call.name) ?? 0) + 1)
    between.set(call.name, called)
    for (const child of children) open.push(child)
  }
  const nodes = [...byName.values()].sort((a, b) => b.calls - a.calls).slice(0, maxNodes)
  const shown = new Set(nodes.map(({ name }) => name))
  const edges = [...between].flatMap(([from, called]) => [...called].map(([to, calls]) => ({ from, to, calls })))
  return { nodes, edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)), leftOut: byName.size - nodes.length }
}
