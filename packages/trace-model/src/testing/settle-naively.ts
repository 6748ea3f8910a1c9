import type { TraceNode } from '../settle/trace-node.ts'

/** Input and output, and the total of what tells no parts. */
type Sides = [input: number, output: number, alone: number]

const first = (nodes: readonly TraceNode[]): TraceNode | undefined =>
  [...nodes].sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))[0]
const sidesOf = ({ input, output, total }: TraceNode['usage'][number]['counts']): Sides => [input, output, input + output > 0 ? 0 : total]
const add = (a: Sides, b: Sides): Sides => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
const tokensIn = (sides: Sides) => sides[0] + sides[1] + sides[2]
const sumOf = (node: TraceNode): Sides => node.usage.map(({ counts }) => sidesOf(counts)).reduce(add, [0, 0, 0])
const reports = (node: TraceNode) => sumOf(node).some((count) => count > 0)
const same = (a: Sides, b: Sides) => a.every((count, at) => count === b[at])
const differ = (a: TraceNode, b: TraceNode) => a.scope !== null && b.scope !== null && a.scope !== b.scope
const answers = (a: TraceNode, b: TraceNode) => a.responseId !== null && a.responseId === b.responseId
const isFailed = ({ status }: TraceNode) => status === 'error' || status === 'descendant_error'
const endOf = (node: TraceNode) => node.endedAt ?? Number.MAX_SAFE_INTEGER

/** The rule as its sentences say it, without any regard to time: for tests of the one that is used. */
export function settleNaively(nodes: readonly TraceNode[]) {
  const { calls: _, ...trace } = settleEachNaively(nodes)
  return trace
}

/** Also what is said of each call: its status, and what counts at and below it. */
export function settleEachNaively(nodes: readonly TraceNode[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const cut = cutCycles(nodes, byId)
  const parentOf = (node: TraceNode) => (node.parentId === null || cut.has(node.id) ? undefined : byId.get(node.parentId))
  const isOrphan = (node: TraceNode) => node.parentId !== null && !byId.has(node.parentId)
  const childrenOf = (node: TraceNode) => nodes.filter((other) => parentOf(other) === node)
  const belowOf = (node: TraceNode): TraceNode[] => childrenOf(node).flatMap((child) => [child, ...belowOf(child)])
  const frontierOf = (node: TraceNode, isOne: (node: TraceNode) => boolean): TraceNode[] =>
    childrenOf(node).flatMap((child) => (isOne(child) ? [child] : frontierOf(child, isOne)))

  const repeatsSibling = findSiblings(nodes, (node) => parentOf(node) !== undefined || isOrphan(node))
  const uses = (node: TraceNode): { model: string; sides: Sides }[] => {
    if (!reports(node)) return []
    const own = node.usage.map(({ model, counts: used }) => ({ model, sides: sidesOf(used) }))
    if (node.wire === 'client')
      return less(
        own,
        frontierOf(node, (other) => other.wire === 'client' && reports(other)),
      )
    const frontier = frontierOf(node, reports)
    if (repeatsSibling.has(node.id)) return []
    if (frontier.length === 0) return own
    if (!node.isModelCall) return []
    if (frontier.some((other) => other.isModelCall && differ(node, other) && (answers(node, other) || same(sumOf(node), sumOf(other)))))
      return []
    const all = frontier.map(sumOf).reduce<Sides>(add, [0, 0, 0])
    return frontier.every((other) => differ(node, other)) && same(sumOf(node), all) ? [] : own
  }

  const counts = (node: TraceNode) => uses(node).map((use) => ({ ...use, callId: node.id }))

  const named = nodes.filter((node) => node.parentId === null)
  const root = (first(named) ?? first(nodes.filter(isOrphan)) ?? first(nodes.filter((node) => cut.has(node.id))))!
  const total = (of: readonly TraceNode[]) => of.flatMap(counts).reduce((sum, { sides }) => sum + tokensIn(sides), 0)
  return {
    rootId: root.id,
    isParentMissing: isOrphan(root),
    threadId: root.threadId ?? first(nodes.filter((node) => node.threadId !== null))?.threadId ?? null,
    status: root.status === 'success' && nodes.some(isFailed) ? 'descendant_error' : root.status,
    errors: nodes.filter(({ status }) => status === 'error').length,
    roots: nodes
      .filter((node) => parentOf(node) === undefined)
      .map(({ id }) => id)
      .sort(),
    calls: nodes.map((node) => ({
      id: node.id,
      status: node.status === 'success' && belowOf(node).some(isFailed) ? 'descendant_error' : node.status,
      uses: [node, ...belowOf(node)].flatMap(counts),
    })),
    counted: nodes.flatMap((node) => counts(node).map(({ model, sides }) => `${node.id} ${model} ${sides.join('/')}`)).sort(),
    moreThanBelow: nodes
      .filter((node) => {
        const isCovered = reports(node) && counts(node).length === 0 && !isRepeated(node)
        return isCovered && tokensIn(sumOf(node)) > total(belowOf(node))
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

/** A sum that tells its parts says nothing of the totals alone that its client added up with them. */
function less(own: readonly { model: string; sides: Sides }[], frontier: readonly TraceNode[]): { model: string; sides: Sides }[] {
  const left = new Map(own.map(({ model, sides }) => [model, [...sides] as Sides]))
  const tellsParts = new Set(own.filter(({ sides }) => sides[0] + sides[1] > 0).map(({ model }) => model))
  for (const { model, counts } of frontier.flatMap(({ usage }) => usage)) {
    const [input, output, alone] = sidesOf(counts)
    left.set(model, add(left.get(model) ?? [0, 0, 0], [-input, -output, tellsParts.has(model) ? 0 : -alone]))
  }
  const rest = [...left].map(([model, sides]) => ({ model, sides }))
  return rest.some(({ sides }) => sides.some((count) => count < 0)) ? [] : rest.filter(({ sides }) => tokensIn(sides) > 0)
}

/**
 * Of model calls side by side with equal counts, those that lie in the time of one of another scope, each of which is repeated once by a scope at most. Of
 * the others that name one response, those that are not the innermost of the nth ones of their scopes.
 */
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
  const rest = outerFirst.filter((node) => isOne(node) && !repeated.has(node.id) && node.responseId !== null)
  const answered = (node: TraceNode) => rest.filter((other) => other.parentId === node.parentId && answers(other, node))
  const nthOf = (node: TraceNode) =>
    answered(node)
      .filter(({ scope }) => scope === node.scope)
      .indexOf(node)
  for (const node of rest) {
    const reports = answered(node).filter((other) => nthOf(other) === nthOf(node))
    if (reports.at(-1) !== node) repeated.add(node.id)
  }
  return repeated
}
