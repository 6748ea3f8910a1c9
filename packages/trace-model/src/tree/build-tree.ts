import { type LinkedCall, linkParents } from './link-parents.ts'

/** The fields of a call that a tree needs. Times are numbers of any unit, the same for all calls. */
export interface TreeCall extends LinkedCall {
  /** Null while it runs. */
  endedAt: number | null
}

/** A call in its tree. */
export interface TreeNode<T extends TreeCall> {
  call: T
  /** Undefined for a root. */
  parent: TreeNode<T> | undefined
  children: TreeNode<T>[]
  depth: number
  /** It names a parent that is not among the calls. */
  isOrphan: boolean
  /** Its parents lead back to itself: it is a root instead. */
  isInCycle: boolean
}

/**
 * The calls of a trace as trees, ordered by start; calls with the same start are ordered by end. A call whose parent is missing is a root, and a
 * cycle of parents is cut at the call that started first. Takes linear time, apart from sorting.
 */
export function buildTree<T extends TreeCall>(calls: readonly T[]): TreeNode<T>[] {
  const sorted = [...calls].sort((a, b) => a.startedAt - b.startedAt || endOf(a) - endOf(b) || (a.id < b.id ? -1 : 1))
  const { parents, isOrphan, isCut, order } = linkParents(sorted)
  const nodes = sorted.map((call, index): TreeNode<T> => ({
    call,
    parent: undefined,
    children: [],
    depth: 0,
    isOrphan: isOrphan[index] === 1,
    isInCycle: isCut[index] === 1,
  }))
  const roots: TreeNode<T>[] = []
  nodes.forEach((node, index) => {
    node.parent = nodes[parents[index]!]
    ;(node.parent?.children ?? roots).push(node)
  })
  for (const index of order) {
    const node = nodes[index]!
    if (node.parent) node.depth = node.parent.depth + 1
  }
  return roots
}

/** A running call sorts after ended ones. */
const endOf = ({ endedAt }: TreeCall) => endedAt ?? Number.MAX_VALUE

/** The nodes in display order, without the descendants of collapsed ones. */
export function listNodes<T extends TreeCall>(roots: readonly TreeNode<T>[], collapsed: ReadonlySet<string> = new Set()): TreeNode<T>[] {
  const listed: TreeNode<T>[] = []
  const open = [...roots].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    listed.push(node)
    if (collapsed.has(node.call.id)) continue
    for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
  }
  return listed
}

/** The nodes of the wanted calls, in the same order, including those below unwanted ones. */
export function findNodes<T extends TreeCall>(roots: readonly TreeNode<T>[], isWanted: (call: T) => boolean): TreeNode<T>[] {
  return listNodes(roots).filter(({ call }) => isWanted(call))
}
