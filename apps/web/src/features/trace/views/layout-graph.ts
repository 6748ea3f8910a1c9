import dagre from '@dagrejs/dagre'
import type { GraphEdge, GraphNode } from './graph-of-trace.ts'

export interface Point {
  x: number
  y: number
}

/** A node with the middle of its box. */
export interface PlacedNode extends GraphNode, Point {}

export interface PlacedEdge extends GraphEdge {
  /** Of SVG. */
  path: string
  middle: Point
}

export interface GraphLayout {
  nodes: readonly PlacedNode[]
  edges: readonly PlacedEdge[]
  width: number
  height: number
}

export const nodeSize = { width: 168, height: 44 }

/** Positions of names and of the lines between them, from left to right: callers are left of their callees. */
export function layoutGraph({ nodes, edges }: { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }): GraphLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: false })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 32, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  // By index: dagre keeps nodes in objects, in which a name may have a special meaning.
  const places = new Map(nodes.map(({ name }, at) => [name, String(at)]))
  const idOf = (name: string) => places.get(name) ?? ''
  for (const id of places.values()) graph.setNode(id, { ...nodeSize })
  for (const { from, to } of edges) graph.setEdge(idOf(from), idOf(to))
  if (nodes.length > 0) dagre.layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  const placeOf = (name: string) => graph.node(idOf(name)) as Point
  return {
    nodes: nodes.map((node) => ({ ...node, x: placeOf(node.name).x, y: placeOf(node.name).y })),
    edges: edges.map((edge) => {
      const { points } = graph.edge(idOf(edge.from), idOf(edge.to)) as { points: readonly Point[] }
      return { ...edge, ...lineOf(placeOf(edge.from), placeOf(edge.to), points) }
    }),
    width: Math.max(0, width),
    height: Math.max(0, height),
  }
}

/** To the next column as one curve from side to side; further, back or to itself around what lies between. */
function lineOf(from: Point, to: Point, points: readonly Point[]): Pick<PlacedEdge, 'path' | 'middle'> {
  const start = { x: from.x + nodeSize.width / 2, y: from.y }
  const end = { x: to.x - nodeSize.width / 2, y: to.y }
  if (end.x > start.x && points.length <= 3) {
    const bend = (start.x + end.x) / 2
    return {
      path: `M${start.x},${start.y}C${bend},${start.y} ${bend},${end.y} ${end.x},${end.y}`,
      middle: { x: bend, y: (start.y + end.y) / 2 },
    }
  }
  const [first = start, ...others] = end.x > start.x ? [start, ...points.slice(1, -1), end] : points
  const pieces = others.map((point, at) => {
    const next = others[at + 1]
    return next ? `Q${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}` : `L${point.x},${point.y}`
  })
  return { path: `M${first.x},${first.y}${pieces.join('')}`, middle: points[Math.floor(points.length / 2)] ?? start }
}
