import type { ParentLinks } from '../tree/link-parents.ts'
import { addCounts, noTokens, type TokenCounts } from '../usage/token-counts.ts'
import { NumberSet } from './number-set.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/**
 * The call right below a model call whose request it repeats, of another instrumentation scope: a model call with the same response or the same tokens,
 * or the first of all together. Undefined where it repeats none.
 */
export function findRepeatedBelow(place: number, nodes: readonly TraceNode[], { sums, frontiers }: ReportedUsage): number | undefined {
  const own = sums[place]!
  const frontier = frontiers[place]!
  const isOther = (below: number) => areOtherScopes(nodes[place]!, nodes[below]!)
  const isSame = (below: number) => nameSameResponse(nodes[place]!, nodes[below]!) || areEqual(own, sums[below]!)
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
  const siblings = nodes.flatMap((node, place) => (sums[place] !== undefined && mayHaveSibling(node, place, links) ? [place] : []))
  // Most traces have one instrumentation.
  if (siblings.every((place) => nodes[place]!.scope === nodes[siblings[0]!]!.scope)) return new Map()
  const tokensOf = (place: number) => `${sums[place]!.input} ${sums[place]!.output} ${sums[place]!.total} ${nodes[place]!.parentId}`
  const repeated: RepeatedRequests = new Map()
  for (const group of groupsOf(siblings, tokensOf)) repeatWithin(group, nodes, repeated)
  const rest = siblings.filter((place) => nodes[place]!.responseId !== null && !repeated.has(place))
  const responseOf = (place: number) => JSON.stringify([nodes[place]!.parentId, nodes[place]!.responseId])
  for (const group of groupsOf(rest, responseOf)) repeatSameResponse(group, nodes, repeated)
  return repeated
}

function mayHaveSibling(node: TraceNode, place: number, { parents, isOrphan }: ParentLinks): boolean {
  return node.isModelCall && node.scope !== null && node.wire === 'otlp' && (parents[place]! >= 0 || isOrphan[place] === 1)
}

/** Only groups of two or more. */
function groupsOf(places: readonly number[], keyOf: (place: number) => string): number[][] {
  const groups = new Map<string, number[]>()
  for (const place of places) {
    const key = keyOf(place)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [place])
    else group.push(place)
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** Groups calls that name one response: the first call of each scope reports one request, the second of each the next, and so on. */
function repeatSameResponse(group: readonly number[], nodes: readonly TraceNode[], repeated: RepeatedRequests): void {
  const outerFirst = group.toSorted((one, other) => compareOuter(nodes[one]!, nodes[other]!))
  const seen = new Map<string, number>()
  const requests: number[][] = []
  for (const place of outerFirst) {
    const scope = nodes[place]!.scope!
    const nth = seen.get(scope) ?? 0
    seen.set(scope, nth + 1)
    ;(requests[nth] ??= []).push(place)
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
  const scopes = [...new Set(group.map((place) => nodes[place]!.scope!))].slice(0, maxScopes)
  if (scopes.length < 2) return
  const outerFirst = group
    .filter((place) => scopes.includes(nodes[place]!.scope!))
    .toSorted((one, other) => compareOuter(nodes[one]!, nodes[other]!))
  /** From the first end to the last; inner calls first if they end at the same time. */
  const byEnd = outerFirst.toReversed().toSorted((one, other) => endOf(nodes[one]!) - endOf(nodes[other]!))
  const ranks = new Map(byEnd.map((place, rank) => [place, rank]))
  /** For each scope the requests of other scopes, by rank, that it has not repeated. */
  const open = new Map(scopes.map((scope) => [scope, new NumberSet(byEnd.length)]))
  for (const place of outerFirst) {
    const { scope } = nodes[place]!
    const around = open.get(scope!)!
    const match = around.next(firstEndingAt(byEnd, endOf(nodes[place]!), nodes))
    if (match === undefined) {
      for (const [other, requests] of open) if (other !== scope) requests.add(ranks.get(place)!)
    } else {
      around.delete(match)
      repeated.set(place, byEnd[match]!)
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
