import type { TreeCall, TreeNode } from '@heddle/trace-model'
import { sum } from '../../../lib/sum.ts'

interface NamedCall extends TreeCall {
  name: string
  status: string
}

/** The calls of one name below one path of names. */
export interface FlameBlock {
  /** The names from the root, which identify it. */
  path: readonly string[]
  depth: number
  calls: number
  failed: number
  /** Their total duration; running ones count 0. */
  totalMs: number
  /** Of that, what the calls below them did not take. */
  selfMs: number
  /** Where it begins and how wide it is, as shares of the whole. */
  left: number
  width: number
  /** Id of the earliest. */
  first: string
}

/** Narrower blocks would be invisible, and deeper ones are beyond the page. */
export const leastWidth = 1 / 2_000
export const maxDepth = 60

interface Group<T extends NamedCall> {
  path: readonly string[]
  nodes: TreeNode<T>[]
  left: number
  width: number
}

/** Calls of a trace added up by the path of their names, the longest first. Takes time in proportion to the calls. */
export function flameOf<T extends NamedCall>(roots: readonly TreeNode<T>[]): { blocks: FlameBlock[]; leftOut: number } {
  const blocks: FlameBlock[] = []
  let leftOut = 0
  const open = placed(roots, { path: [], left: 0, width: 1, totalMs: 0 })
  for (let group = open.pop(); group; group = open.pop()) {
    if (group.width < leastWidth || group.path.length > maxDepth) {
      leftOut += countBelow(group.nodes)
      continue
    }
    const totalMs = sum(group.nodes.map(durationOf))
    const children = group.nodes.flatMap((node) => node.children)
    blocks.push({
      path: group.path,
      depth: group.path.length - 1,
      calls: group.nodes.length,
      failed: group.nodes.filter(({ call }) => call.status === 'error').length,
      totalMs,
      selfMs: Math.max(0, totalMs - sum(children.map(durationOf))),
      left: group.left,
      width: group.width,
      first: group.nodes[0]!.call.id,
    })
    open.push(...placed(children, { ...group, totalMs }).toReversed())
  }
  return { blocks, leftOut }
}

/** Gives the nodes of each name their share of their parent's width. Concurrent calls may have taken longer in total: then they share it. */
function placed<T extends NamedCall>(
  nodes: readonly TreeNode<T>[],
  above: { path: readonly string[]; left: number; width: number; totalMs: number },
): Group<T>[] {
  const byName = new Map<string, TreeNode<T>[]>()
  for (const node of nodes) {
    const same = byName.get(node.call.name)
    if (same) same.push(node)
    else byName.set(node.call.name, [node])
  }
  const weighted = [...byName].map(([name, same]) => ({ name, nodes: same, weight: weightOf(same) })).sort((a, b) => b.weight - a.weight)
  const whole = Math.max(above.totalMs, sum(weighted.map(({ weight }) => weight)))
  let { left } = above
  return weighted.map(({ name, nodes: same, weight }) => {
    const width = (above.width * weight) / whole
    const group = { path: [...above.path, name], nodes: same, left, width }
    left += width
    return group
  })
}

/** Some nodes with all below them. */
function countBelow<T extends NamedCall>(nodes: readonly TreeNode<T>[]): number {
  const all = [...nodes]
  for (const { children } of all) for (const child of children) all.push(child)
  return all.length
}

/** Calls that took no measurable time are seen too. */
const leastMs = 0.01
const weightOf = (nodes: readonly TreeNode<NamedCall>[]) => sum(nodes.map((node) => Math.max(leastMs, durationOf(node))))
const durationOf = ({ call: { startedAt, endedAt } }: TreeNode<TreeCall>) => (endedAt === null ? 0 : Math.max(0, endedAt - startedAt))
