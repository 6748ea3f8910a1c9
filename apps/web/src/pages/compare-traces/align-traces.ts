import { buildTree, type TreeCall, type TreeNode } from '../trace/build-tree.ts'

/** What an alignment needs of a call. */
export interface AlignableCall extends TreeCall {
  name: string
}

/** Two calls that stand in the same place of their traces, or one that has no counterpart. */
export interface AlignedPair<T extends AlignableCall> {
  a: T | undefined
  b: T | undefined
  depth: number
}

type Node<T extends AlignableCall> = TreeNode<T>
type NodePair<T extends AlignableCall> = [a: Node<T> | undefined, b: Node<T> | undefined]

/**
 * Pairs the calls of two traces: of those below one pair, the first with a name with the first with that name, the second with the second.
 * The roots are a pair whatever their names are. Takes time in proportion to the calls, but for sorting.
 */
export function alignTraces<T extends AlignableCall>(a: readonly T[], b: readonly T[]): AlignedPair<T>[] {
  const pairs: AlignedPair<T>[] = []
  const [rootsOfA, rootsOfB] = [buildTree(a), buildTree(b)]
  const roots: NodePair<T>[] = rootsOfA.length === 1 && rootsOfB.length === 1 ? [[rootsOfA[0], rootsOfB[0]]] : pairNodes(rootsOfA, rootsOfB)
  // Without recursion: a chain of calls may be as long as a trace.
  const open = roots.reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const [one, other] = next
    pairs.push({ a: one?.call, b: other?.call, depth: (one ?? other)?.depth ?? 0 })
    open.push(...pairNodes(one?.children ?? [], other?.children ?? []).reverse())
  }
  return pairs
}

/** Those of `a` in their order with their counterparts, and before each pair what only `b` has up to there. */
function pairNodes<T extends AlignableCall>(a: readonly Node<T>[], b: readonly Node<T>[]): NodePair<T>[] {
  const ofB = new Map(keysOf(b).map((key, at) => [key, at]))
  const keys = keysOf(a)
  const known = new Set(keys)
  const keysOfB = [...ofB.keys()]
  const pairs: NodePair<T>[] = []
  let passed = 0
  const passTo = (end: number) => {
    for (; passed < end; passed++) if (!known.has(keysOfB[passed] ?? '')) pairs.push([undefined, b[passed]])
  }
  for (const [at, node] of a.entries()) {
    const place = ofB.get(keys[at] ?? '')
    if (place !== undefined) passTo(place)
    pairs.push([node, place === undefined ? undefined : b[place]])
  }
  passTo(b.length)
  return pairs
}

/** The name of each call and how many before it have the same name. */
function keysOf<T extends AlignableCall>(nodes: readonly Node<T>[]): string[] {
  const counts = new Map<string, number>()
  return nodes.map(({ call: { name } }) => {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${count}\n${name}`
  })
}
