import { ownTokensOf, startOf, type TracedCall } from './traced-call.ts'

export interface TreeNode {
  call: TracedCall
  /** By start, then id. */
  children: TreeNode[]
}

/**
 * Puts the calls of one trace under their parents. A call whose parent is not there is a root, and so is each call of a circle:
 * each call is in the answer exactly once.
 */
export function toTree(calls: readonly TracedCall[]): TreeNode[] {
  const nodes = new Map(calls.toSorted(byStart).map((call): [string, TreeNode] => [call.id, { call, children: [] }]))
  const circular = findCircular(nodes)
  const roots: TreeNode[] = []
  for (const node of nodes.values()) {
    const parent = circular.has(node) ? undefined : nodes.get(node.call.parent_id ?? '')
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  return roots
}

/** Tokens of each call with all below it: its own count where it has one, since that already holds those of its children. */
export function tokensOf(roots: readonly TreeNode[]): Map<TreeNode, number | undefined> {
  const totals = new Map<TreeNode, number | undefined>()
  // Children come after their parents, so from the end each finds its children counted.
  for (const { node } of [...walk(roots)].toReversed()) totals.set(node, ownTokensOf(node.call) ?? sumOf(node.children, totals))
  return totals
}

/** Sum over nodes that have a count; undefined when none has. */
export function sumOf(nodes: readonly TreeNode[], totals: ReadonlyMap<TreeNode, number | undefined>): number | undefined {
  const counts = nodes.map((node) => totals.get(node)).filter((count) => count !== undefined)
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count)
}

/** Characters of the lines before a name; of deeper calls only the last are drawn. */
const maxLead = 60

export interface Step {
  node: TreeNode
  /** The lines that lead to the name. */
  lead: string
  /** The lines that go on under it. */
  below: string
}

/** Nodes in the order in which they are drawn. */
export function* walk(roots: readonly TreeNode[]): Generator<Step> {
  const waiting = roots.toReversed().map((node): Step => ({ node, lead: '', below: '' }))
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    yield step
    const { node, below } = step
    node.children.toReversed().forEach((child, index) => {
      const isLast = index === 0
      const rest = `${below}${isLast ? '   ' : '│  '}`.slice(-maxLead)
      waiting.push({ node: child, lead: `${below}${isLast ? '└─ ' : '├─ '}`, below: rest })
    })
  }
}

function byStart(left: TracedCall, right: TracedCall): number {
  return startOf(left) - startOf(right) || (left.id < right.id ? -1 : 1)
}

/** The calls that are their own forebears. Each call is visited once. */
function findCircular(nodes: ReadonlyMap<string, TreeNode>): Set<TreeNode> {
  const circular = new Set<TreeNode>()
  const visited = new Set<TreeNode>()
  for (const start of nodes.values()) {
    const path = new Set<TreeNode>()
    let node: TreeNode | undefined = start
    for (; node && !visited.has(node); node = nodes.get(node.call.parent_id ?? '')) {
      visited.add(node)
      path.add(node)
    }
    if (node && path.has(node)) for (const member of [...path].slice([...path].indexOf(node))) circular.add(member)
  }
  return circular
}
