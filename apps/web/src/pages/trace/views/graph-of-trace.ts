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
  /** Its place: by how deep its first call is, and among those of the same depth. */
  column: number
  row: number
}

/** How often calls of one name called those of another. */
export interface GraphEdge {
  from: string
  to: string
  calls: number
}

/** More would be no drawing that a person reads. */
export const maxNodes = 60

/** Which names called which, the most frequent names. */
export function graphOf<T extends NamedCall>(roots: readonly TreeNode<T>[]): { nodes: GraphNode[]; edges: GraphEdge[]; leftOut: number } {
  const byName = new Map<string, Omit<GraphNode, 'row'>>()
  const between = new Map<string, Map<string, number>>()
  const open = [...roots]
  for (const { call, children, depth } of open) {
    const node = byName.get(call.name) ?? { name: call.name, calls: 0, failed: 0, totalMs: 0, column: depth }
    node.calls++
    node.failed += call.status === 'error' ? 1 : 0
    node.totalMs += call.endedAt === null ? 0 : Math.max(0, call.endedAt - call.startedAt)
    byName.set(call.name, node)
    const called = between.get(call.name) ?? new Map<string, number>()
    for (const child of children) called.set(child.call.name, (called.get(child.call.name) ?? 0) + 1)
    between.set(call.name, called)
    for (const child of children) open.push(child)
  }
  const nodes = inRows([...byName.values()].sort((a, b) => b.calls - a.calls).slice(0, maxNodes))
  const shown = new Set(nodes.map(({ name }) => name))
  const edges = [...between].flatMap(([from, called]) => [...called].map(([to, calls]) => ({ from, to, calls })))
  return { nodes, edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)), leftOut: byName.size - nodes.length }
}

/** Columns without gaps, and rows in each of them. */
function inRows(nodes: readonly Omit<GraphNode, 'row'>[]): GraphNode[] {
  const columns = [...new Set(nodes.map(({ column }) => column))].sort((a, b) => a - b)
  const rows = columns.map(() => 0)
  return nodes.map((node) => {
    const column = columns.indexOf(node.column)
    return { ...node, column, row: rows[column]!++ }
  })
}
