import type { TraceNode } from '../settle/trace-node.ts'

type Pair = [input: number, output: number]

const first = (nodes: readonly TraceNode[]): TraceNode | undefined =>
  [...nodes].sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))[0]
const sumOf = (node: TraceNode): Pair => [
  node.usage.reduce((sum, { counts }) => sum + counts.input, 0),
  node.usage.reduce((sum, { counts }) => sum + counts.output, 0),
]
const reports = (node: TraceNode) => sumOf(node).some((count) => count > 0)
const same = (a: Pair, b: Pair) => a[0] === b[0] && a[1] === b[1]
const differ = (a: TraceNode, b: TraceNode) => a.scope !== null && b.scope !== null && a.scope !== b.scope
const endOf = (node: TraceNode) => node.endedAt ?? Number.MAX_SAFE_INTEGER

/** The rule as its sentences say it, without any regard to time: for tests of the one that is used. */
export function settleNaively(nodes: readonly TraceNode[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const cut = cutCycles(nodes, byId)
  const parentOf = (node: TraceNode) => (node.parentId === null || cut.has(node.id) ? undefined : byId.get(node.parentId))
  const isOrphan = (node: TraceNode) => node.parentId !== null && !byId.has(node.parentId)
  const childrenOf = (node: TraceNode) => nodes.filter((other) => parentOf(other) === node)
  const belowOf = (node: TraceNode): TraceNode[] => childrenOf(node).flatMap((child) => [child, ...belowOf(child)])
  const frontierOf = (node: TraceNode, isOne: (node: TraceNode) => boolean): TraceNode[] =>
    childrenOf(node).flatMap((child) => (isOne(child) ? [child] : frontierOf(child, isOne)))

  const repeatsSibling = findSiblings(nodes, (node) => parentOf(node) !== undefined || isOrphan(node))
  const counts = (node: TraceNode): { model: string; pair: Pair }[] => {
    if (!reports(node)) return []
    const own = node.usage.map(({ model, counts: { input, output } }) => ({ model, pair: [input, output] as Pair }))
    if (node.wire === 'client')
      return less(
        own,
        frontierOf(node, (other) => other.wire === 'client' && reports(other)),
      )
    const frontier = frontierOf(node, reports)
    if (repeatsSibling.has(node.id)) return []
    if (frontier.length === 0) return own
    if (!node.isModelCall) return []
    if (frontier.some((other) => other.isModelCall && differ(node, other) && same(sumOf(node), sumOf(other)))) return []
    const all = frontier.map(sumOf).reduce<Pair>((sum, pair) => [sum[0] + pair[0], sum[1] + pair[1]], [0, 0])
    return frontier.every((other) => differ(node, other)) && same(sumOf(node), all) ? [] : own
  }

  const named = nodes.filter((node) => node.parentId === null)
  const root = (first(named) ?? first(nodes.filter(isOrphan)) ?? first(nodes.filter((node) => cut.has(node.id))))!
  const total = (of: readonly TraceNode[]) => of.flatMap(counts).reduce((sum, { pair }) => sum + pair[0] + pair[1], 0)
  return {
    rootId: root.id,
    isParentMissing: isOrphan(root),
    threadId: root.threadId ?? first(nodes.filter((node) => node.threadId !== null))?.threadId ?? null,
    status: root.status === 'success' && nodes.some(({ status }) => status === 'error') ? 'descendant_error' : root.status,
    errors: nodes.filter(({ status }) => status === 'error').length,
    roots: nodes
      .filter((node) => parentOf(node) === undefined)
      .map(({ id }) => id)
      .sort(),
    counted: nodes.flatMap((node) => counts(node).map(({ model, pair }) => `${node.id} ${model} ${pair[0]}/${pair[1]}`)).sort(),
    moreThanBelow: nodes
      .filter((node) => {
        const isCovered = reports(node) && counts(node).length === 0 && !isRepeated(node)
        return isCovered && sumOf(node)[0] + sumOf(node)[1] > total(belowOf(node))
      })
      .map(({ id }) => id)
      .sort(),
  }

  function isRepeated(node: TraceNode): boolean {
    return node.wire === 'otlp' && (repeatsSibling.has(node.id) || node.isModelCall)
  }
}

function cutCycles(nodes: readonly TraceNode[], byId: ReadonlyMap<string, TraceNode>): Set<string> {
  const cut = new Set<string>()
  for (const start of nodes) {
    const path: TraceNode[] = []
    let node: TraceNode | undefined = start
    while (node && !path.includes(node)) {
      path.push(node)
      node = node.parentId === null ? undefined : byId.get(node.parentId)
    }
    if (node) cut.add(first(path.slice(path.indexOf(node)))!.id)
  }
  return cut
}

function less(own: readonly { model: string; pair: Pair }[], frontier: readonly TraceNode[]): { model: string; pair: Pair }[] {
  const left = new Map(own.map(({ model, pair }) => [model, [...pair] as Pair]))
  for (const { model, counts } of frontier.flatMap(({ usage }) => usage)) {
    const [input, output] = left.get(model) ?? [0, 0]
    left.set(model, [input - counts.input, output - counts.output])
  }
  const rest = [...left].map(([model, pair]) => ({ model, pair }))
  return rest.some(({ pair }) => pair[0] < 0 || pair[1] < 0) ? [] : rest.filter(({ pair }) => pair[0] > 0 || pair[1] > 0)
}

/** Of model calls side by side with equal counts, those that lie in the time of one of another scope, each of which is repeated once by a scope at most. */
function findSiblings(nodes: readonly TraceNode[], isBeside: (node: TraceNode) => boolean): Set<string> {
  const repeated = new Set<string>()
  const taken = new Set<string>()
  const outerFirst = [...nodes].sort((a, b) => a.startedAt - b.startedAt || endOf(b) - endOf(a) || (a.id < b.id ? -1 : 1))
  const isOne = (node: TraceNode) => node.wire === 'otlp' && node.isModelCall && node.scope !== null && reports(node) && isBeside(node)
  outerFirst.forEach((inner, at) => {
    if (!isOne(inner)) return
    const around = outerFirst
      .slice(0, at)
      .filter((outer) => isOne(outer) && !repeated.has(outer.id) && outer.parentId === inner.parentId)
      .filter((outer) => differ(outer, inner) && same(sumOf(outer), sumOf(inner)) && endOf(outer) >= endOf(inner))
      .filter((outer) => !taken.has(`${outer.id} ${inner.scope}`))
      .reverse()
      .sort((a, b) => endOf(a) - endOf(b))
    if (around[0] === undefined) return
    repeated.add(inner.id)
    taken.add(`${around[0].id} ${inner.scope}`)
  })
  return repeated
}
