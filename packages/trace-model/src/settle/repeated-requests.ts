import type { ParentLinks } from '../tree/link-parents.ts'
import { addCounts, noTokens, type TokenCounts } from '../usage/token-counts.ts'
import { NumberSet } from './number-set.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/** Whether a model call repeats what calls of other instrumentation scopes right below it report: one of them that is a model call, or all together. */
export function repeatsFrontier(place: number, nodes: readonly TraceNode[], { sums, frontiers }: ReportedUsage): boolean {
  const own = sums[place]!
  const frontier = frontiers[place]!
  const isOther = (below: number) => areOtherScopes(nodes[place]!, nodes[below]!)
  if (frontier.some((below) => nodes[below]!.isModelCall && isOther(below) && areEqual(own, sums[below]!))) return true
  return frontier.every(isOther) && areEqual(own, frontier.map((below) => sums[below]!).reduce(addCounts, noTokens))
}

/**
 * Model calls of one parent that repeat a request which another instrumentation scope reports beside them: with the same tokens, in whose time they
 * lie. Each request is repeated once by another scope at most, since one scope does not report a request twice.
 */
export function findRepeatedSiblings(
  nodes: readonly TraceNode[],
  { parents, isOrphan }: ParentLinks,
  { sums }: ReportedUsage,
): Set<number> {
  const groups = new Map<string, number[]>()
  nodes.forEach((node, place) => {
    const own = sums[place]
    const isSibling = parents[place]! >= 0 || isOrphan[place] === 1
    if (own === undefined || !isSibling || !node.isModelCall || node.scope === null || node.wire !== 'otlp') return
    const key = `${own.input} ${own.output} ${node.parentId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [place])
    else group.push(place)
  })
  const repeated = new Set<number>()
  for (const group of groups.values()) if (group.length > 1) for (const place of repeatedOf(group, nodes)) repeated.add(place)
  return repeated
}

/** Scopes whose reports of one request are told apart; calls of others count. Nobody has so many, and each takes memory. */
const maxScopes = 16

/** Calls with the same tokens, from the outer to the inner: each is matched with the one of another scope that ends first of those around it. */
function repeatedOf(group: readonly number[], nodes: readonly TraceNode[]): number[] {
  const scopes = [...new Set(group.map((place) => nodes[place]!.scope!))].slice(0, maxScopes)
  if (scopes.length < 2) return []
  const outerFirst = group
    .filter((place) => scopes.includes(nodes[place]!.scope!))
    .toSorted((one, other) => compareOuter(nodes[one]!, nodes[other]!))
  /** From the first end to the last; of those that end together, the inner ones first. */
  const byEnd = outerFirst.toReversed().toSorted((one, other) => endOf(nodes[one]!) - endOf(nodes[other]!))
  const ranks = new Map(byEnd.map((place, rank) => [place, rank]))
  /** For each scope the requests of others, by their ranks, that it has not repeated. */
  const open = new Map(scopes.map((scope) => [scope, new NumberSet(byEnd.length)]))
  const repeated: number[] = []
  for (const place of outerFirst) {
    const { scope } = nodes[place]!
    const around = open.get(scope!)!
    const match = around.next(firstEndingAt(byEnd, endOf(nodes[place]!), nodes))
    if (match === undefined) {
      for (const [other, requests] of open) if (other !== scope) requests.add(ranks.get(place)!)
    } else {
      around.delete(match)
      repeated.push(place)
    }
  }
  return repeated
}

/** How many of some calls, in the order of their ends, ended before a time. */
function firstEndingAt(byEnd: readonly number[], time: number, nodes: readonly TraceNode[]): number {
  let [low, high] = [0, byEnd.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(nodes[byEnd[middle]!]!) < time) low = middle + 1
    else high = middle
  }
  return low
}

function compareOuter(one: TraceNode, other: TraceNode): number {
  return one.startedAt - other.startedAt || endOf(other) - endOf(one) || (one.id < other.id ? -1 : 1)
}

/** A call that runs lies around all that start after it. */
const endOf = ({ endedAt }: TraceNode) => endedAt ?? Number.MAX_SAFE_INTEGER

/** Whether two spans name different instrumentation scopes. Of one that names none, nothing is known. */
export function areOtherScopes(one: TraceNode, other: TraceNode): boolean {
  return one.scope !== null && other.scope !== null && one.scope !== other.scope
}

const areEqual = (one: TokenCounts, other: TokenCounts) => one.input === other.input && one.output === other.output
