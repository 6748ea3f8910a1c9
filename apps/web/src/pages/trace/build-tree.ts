/** What a tree needs of a call. Times are in milliseconds since 1970. */
export interface TreeCall {
  id: string
  parentId: string | null
  startedMs: number
  /** Null while it runs. */
  endedMs: number | null
}

/** A call in its place. */
export interface TreeNode<T extends TreeCall> {
  call: T
  children: TreeNode<T>[]
  depth: number
  /** Its parent is not among the calls of the trace. */
  isOrphan: boolean
  /** Its parents lead back to itself; it stands at the top instead. */
  isInCycle: boolean
  /** It lies outside the time of its parent: their clocks differ, or it went on after its parent. */
  isOutsideParent: boolean
}

/** The calls of a trace as trees, in the order of their starts; of those that start together, what ended first comes first. Takes time in proportion to the calls, but for sorting. */
export function buildTree<T extends TreeCall>(calls: readonly T[]): TreeNode<T>[] {
  const sorted = [...calls].sort((a, b) => a.startedMs - b.startedMs || endOf(a) - endOf(b) || (a.id < b.id ? -1 : 1))
  const nodes = new Map(sorted.map((call) => [call.id, toNode(call)]))
  const roots: TreeNode<T>[] = []
  for (const node of nodes.values()) {
    const { parentId } = node.call
    const parent = parentId === null ? undefined : nodes.get(parentId)
    node.isOrphan = parentId !== null && parent === undefined
    if (parent) parent.children.push(node)
    else roots.push(node)
  }
  const reached = place(roots)
  for (const node of nodes.values()) {
    if (reached.has(node)) continue
    // All that is left hangs below cycles: the first call of each is cut from its parent.
    const first = firstInCycle(node, nodes)
    const siblings = nodes.get(first.call.parentId ?? '')?.children
    siblings?.splice(siblings.indexOf(first), 1)
    first.isInCycle = true
    roots.push(first)
    for (const placed of place([first])) reached.add(placed)
  }
  return roots
}

/** A call that runs comes after those that have ended. */
const endOf = ({ endedMs }: TreeCall) => endedMs ?? Number.MAX_VALUE

function toNode<T extends TreeCall>(call: T): TreeNode<T> {
  return { call, children: [], depth: 0, isOrphan: false, isInCycle: false, isOutsideParent: false }
}

/** Gives all below some roots their depth. Without recursion: a chain of calls may be as long as a trace. */
function place<T extends TreeCall>(roots: readonly TreeNode<T>[]): Set<TreeNode<T>> {
  const reached = new Set(roots)
  for (const node of reached) {
    for (const child of node.children) {
      child.depth = node.depth + 1
      child.isOutsideParent = isOutside(child.call, node.call)
      reached.add(child)
    }
  }
  return reached
}

/** Clocks of spans are read to the millisecond, and rounded: so much later than its parent is not outside of it. */
const roundingMs = 2

function isOutside(call: TreeCall, parent: TreeCall): boolean {
  if (call.startedMs < parent.startedMs - roundingMs) return true
  return parent.endedMs !== null && (call.endedMs ?? call.startedMs) > parent.endedMs + roundingMs
}

function firstInCycle<T extends TreeCall>(start: TreeNode<T>, nodes: ReadonlyMap<string, TreeNode<T>>): TreeNode<T> {
  const seen = new Set<TreeNode<T>>()
  let node = start
  while (!seen.has(node)) {
    seen.add(node)
    node = nodes.get(node.call.parentId ?? '') ?? node
  }
  return node
}

/** The nodes in the order in which they are shown, without what is below collapsed ones. */
export function listNodes<T extends TreeCall>(roots: readonly TreeNode<T>[], collapsed: ReadonlySet<string>): TreeNode<T>[] {
  const listed: TreeNode<T>[] = []
  const open = [...roots].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    listed.push(node)
    if (collapsed.has(node.call.id)) continue
    for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!)
  }
  return listed
}

/** The nodes whose calls are wanted, in the same order, also those below others that are not. */
export function findNodes<T extends TreeCall>(roots: readonly TreeNode<T>[], isWanted: (call: T) => boolean): TreeNode<T>[] {
  return listNodes(roots, new Set()).filter(({ call }) => isWanted(call))
}
