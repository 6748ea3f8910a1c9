import type { ParentLinks } from '../tree/link-parents.ts'
import { addCounts, noTokens, type TokenCounts } from '../usage/token-counts.ts'
import { NumberSet } from './number-set.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/**
 * The call right below a model call whose request it repeats, of another instrumentation scope: a model call with the same response or the same tokens,
 * or the first of all together. Undefined where it repeats none.
 */
export function findRepeatedBelow(index: number, nodes: readonly TraceNode[], { sums, frontiers }: ReportedUsage): number | undefined {
  const own = sums[index]!
  const frontier = frontiers[index]!
  const isOther = (below: number) => areOtherScopes(nodes[index]!, nodes[below]!)
  const isSame = (below: number) => nameSameResponse(nodes[index]!, nodes[below]!) || areEqual(own, sums[below]!)
  const same = frontier.find((below) => nodes[below]!.isModelCall && isOther(below) && isSame(below))
  if (same !== undefined) return same
  const all = frontier.map((below) => sums[below]!).reduce(addCounts, noTokens)
  return frontier.every(isOther) && areEqual(own, all) ? frontier[0] : undefined
}

/** Model calls that repeat a request of another one, by index. */
export type RepeatedRequests = Map<number, number>

/**
 * Model calls that repeat a request which another instrumentation scope reports for a sibling. Each request is repeated at most once by another
 * scope, since one scope does not report a request twice. Reports of one request have the same tokens and lie within the time of the outer one, which
 * counts; or they name the same response, whatever they count: then the inner one counts, which is closer to the provider.
 */
export function findRepeatedSiblings(nodes: readonly TraceNode[], links: ParentLinks, { sums }: ReportedUsage): RepeatedRequests {
  const siblings = nodes.flatMap((node, index) => (sums[index] !== undefined && mayHaveSibling(node, index, links) ? [index] : []))
  // Most traces have one instrumentation.
  if (siblings.every((index) => nodes[index]!.scope === nodes[siblings[0]!]!.scope)) return new Map()
  const tokensOf = (index: number) => `${sums[index]!.input} ${sums[index]!.output} ${sums[index]!.total} ${nodes[index]!.parentId}`
  const repeated: RepeatedRequests = new Map()
  for (const group of groupsOf(siblings, tokensOf)) repeatWithin(group, nodes, repeated)
  const rest = siblings.filter((index) => nodes[index]!.responseId !== null && !repeated.has(index))
  const responseOf = (index: number) => JSON.stringify([nodes[index]!.parentId, nodes[index]!.responseId])
  for (const group of groupsOf(rest, responseOf)) repeatSameResponse(group, nodes, repeated)
  return repeated
}

function mayHaveSibling(node: TraceNode, index: number, { parents, isOrphan }: ParentLinks): boolean {
  return node.isModelCall && node.scope !== null && node.wire === 'otlp' && (parents[index]! >= 0 || isOrphan[index] === 1)
}

/** Only groups of two or more. */
function groupsOf(indexes: readonly number[], keyOf: (index: number) => string): number[][] {
  const groups = new Map<string, number[]>()
  for (const index of indexes) {
    const key = keyOf(index)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** Groups calls that name one response: the first call of each scope reports one request, the second of each the next, and so on. */
function repeatSameResponse(group: readonly number[], nodes: readonly TraceNode[], repeated: RepeatedRequests): void {
  const outerFirst = group.toSorted((one, other) => compareOuter(nodes[one]!, nodes[other]!))
  const seen = new Map<string, number>()
  const requests: number[][] = []
  for (const index of outerFirst) {
    const scope = nodes[index]!.scope!
    const nth = seen.get(scope) ?? 0
    seen.set(scope, nth + 1)
    ;(requests[nth] ??= []).push(index)
  }
  for (const request of requests) {
    const inner = request.at(-1)!
    for (const outer of request.slice(0, -1)) repeated.set(outer, inner)
  }
}

/**
 * Most scopes whose reports of one request are distinguished; calls of further scopes all count. Real traces have far fewer, and each takes memory.
 */
const maxScopes = 16

/** Calls with the same tokens, outer before inner. Each is matched with the earliest-ending enclosing call of another scope. */
function repeatWithin(group: readonly number[], nodes: readonly TraceNode[], repeated: RepeatedRequests): void {
  const scopes = [...new Set(group.map((index) => nodes[index]!.scope!))].slice(0, maxScopes)
  if (scopes.length < 2) return
  const outerFirst = group
    .filter((index) => scopes.includes(nodes[index]!.scope!))
    .toSorted((one, other) => compareOuter(nodes[one]!, nodes[other]!))
  /** From the first end to the last; inner calls first if they end at the same time. */
  const byEnd = outerFirst.toReversed().toSorted((one, other) => endOf(nodes[one]!) - endOf(nodes[other]!))
  const ranks = new Map(byEnd.map((index, rank) => [index, rank]))
  /** For each scope the requests of other scopes, by rank, that it has not repeated. */
  const open = new Map(scopes.map((scope) => [scope, new NumberSet(byEnd.length)]))
  for (const index of outerFirst) {
    const { scope } = nodes[index]!
    const around = open.get(scope!)!
    const match = around.next(firstEndingAt(byEnd, endOf(nodes[index]!), nodes))
    if (match === undefined) {
      for (const [other, requests] of open) if (other !== scope) requests.add(ranks.get(index)!)
    } else {
      around.delete(match)
      repeated.set(index, byEnd[match]!)
    }
  }
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

/** A running call encloses all that start after it. */
const endOf = ({ endedAt }: TraceNode) => endedAt ?? Number.MAX_SAFE_INTEGER

/** Whether two spans name different instrumentation scopes. False if either names none. */
export function areOtherScopes(one: TraceNode, other: TraceNode): boolean {
  return one.scope !== null && other.scope !== null && one.scope !== other.scope
}

const nameSameResponse = (one: TraceNode, other: TraceNode) => one.responseId !== null && one.responseId === other.responseId

const areEqual = (one: TokenCounts, other: TokenCounts) =>
  one.input === other.input && one.output === other.output && one.total === other.total
