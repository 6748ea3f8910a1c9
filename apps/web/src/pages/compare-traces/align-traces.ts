import { buildTree, type TreeCall, type TreeNode } from '@heddle/trace-model'

/** What an alignment needs of a call. */
export interface AlignableCall extends TreeCall {
  name: string
}

/** Two corresponding calls of two traces, or one without a counterpart. */
export interface AlignedPair<T extends AlignableCall> {
  a: T | undefined
  b: T | undefined
  depth: number
}

type Node<T extends AlignableCall> = TreeNode<T>
type NodePair<T extends AlignableCall> = [a: Node<T> | undefined, b: Node<T> | undefined]

/**
 * Pairs the calls of two traces: below each pair, the first call with a name is paired with the first of that name, the second with the second; the
 * rest, such as `chat model-a` and `chat model-b`, are paired likewise by their kind. The roots are a pair whatever their names are. Takes linear
 * time, apart from sorting.
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

/** The calls of `a` in their order with their counterparts, and before each pair the calls that only `b` has up to there. */
function pairNodes<T extends AlignableCall>(a: readonly Node<T>[], b: readonly Node<T>[]): NodePair<T>[] {
  const places = counterparts(a, b)
  const paired = new Set(places.values())
  const pairs: NodePair<T>[] = []
  let passed = 0
  const passTo = (end: number) => {
    for (; passed < end; passed++) if (!paired.has(passed)) pairs.push([undefined, b[passed]])
  }
  for (const [at, node] of a.entries()) {
    const place = places.get(at)
    if (place !== undefined) passTo(place)
    pairs.push([node, place === undefined ? undefined : b[place]])
  }
  passTo(b.length)
  return pairs
}

/** Indexes in `b` by those in `a`: of calls with the same name, then of remaining calls of the same kind with another model or tool. */
function counterparts<T extends AlignableCall>(a: readonly Node<T>[], b: readonly Node<T>[]): Map<number, number> {
  const places = new Map<number, number>()
  for (const keyOf of [({ name }: T) => name, ({ name }: T) => operationOf(name)]) {
    const taken = new Set(places.values())
    const ofB = new Map(keysOf(b, keyOf, (at) => taken.has(at)).map(([at, key]) => [key, at]))
    for (const [at, key] of keysOf(a, keyOf, (place) => places.has(place))) {
      const place = ofB.get(key)
      if (place !== undefined) places.set(at, place)
    }
  }
  return places
}

/** Operations that OpenTelemetry names spans by, followed by the name of a model, tool or agent. */
const operations = /^(chat|text_completion|generate_content|embeddings|execute_tool|invoke_agent|create_agent) /

const operationOf = (name: string) => operations.exec(name)?.[1]

/** For each remaining call with a key: its index, and the key with the number of earlier calls with the same key. */
function keysOf<T extends AlignableCall>(
  nodes: readonly Node<T>[],
  keyOf: (call: T) => string | undefined,
  isTaken: (at: number) => boolean,
): [at: number, key: string][] {
  const counts = new Map<string, number>()
  return nodes.flatMap(({ call }, at) => {
    const key = isTaken(at) ? undefined : keyOf(call)
    if (key === undefined) return []
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return [[at, `${count}\n${key}`] satisfies [number, string]]
  })
}
