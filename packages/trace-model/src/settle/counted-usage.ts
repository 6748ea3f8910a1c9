import type { ParentLinks } from '../tree/link-parents.ts'
import type { ModelCounts } from '../usage/read-usage.ts'
import { addCounts, fitParts, hasNegative, isSome, noTokens, subtractCounts, type TokenCounts } from '../usage/token-counts.ts'
import { findRepeatedBelow, findRepeatedSiblings } from './repeated-requests.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/** Why usage that a call reports counts, in part or not. */
export type CallCount =
  /** All of it. */
  | 'whole'
  /** The part that its client did not record below it: the call reports the sum. */
  | 'rest'
  /** Nothing: the calls below it report theirs. */
  | 'below'
  /** Nothing: another instrumentation reports the same request. */
  | 'repeated'

/** What counts of the usage that a call reports. */
export interface CountedUsage {
  count: CallCount
  /** By model, without models of which nothing counts. */
  usage: readonly ModelCounts[]
  /** Index of the call that reports the same request, if it is `repeated`. */
  repeats?: number
}

/**
 * Decides which usage counts: tokens count on model calls. Any other call's tokens count only if no call below it reports some. A model call that
 * repeats the report of a model call below it or of a sibling (two instrumentations of one request) counts once.
 * @returns by index; undefined for calls that report nothing
 */
export function countUsage(nodes: readonly TraceNode[], links: ParentLinks, reported: ReportedUsage): (CountedUsage | undefined)[] {
  const repeatedSiblings = findRepeatedSiblings(nodes, links, reported)
  const none = (count: CallCount): CountedUsage => ({ count, usage: [] })
  return nodes.map((node, index) => {
    if (reported.sums[index] === undefined) return costAlone(node)
    if (node.wire === 'client') return restOf(node, reported.wireFrontiers[index]!, nodes)
    const sibling = repeatedSiblings.get(index)
    if (sibling !== undefined) return { ...none('repeated'), repeats: sibling }
    if (reported.frontiers[index]!.length === 0) return { count: 'whole', usage: usedOf(node.usage) }
    if (!node.isModelCall) return none('below')
    const below = findRepeatedBelow(index, nodes, reported)
    return below === undefined ? { count: 'whole', usage: usedOf(node.usage) } : { ...none('repeated'), repeats: below }
  })
}

/** A model call may report a cost without tokens; for other calls, the cost may be that of calls below. */
function costAlone({ isModelCall, usage }: TraceNode): CountedUsage | undefined {
  return isModelCall && usage.some(({ counts }) => isSome(counts)) ? { count: 'whole', usage: usedOf(usage) } : undefined
}

const usedOf = (usage: readonly ModelCounts[]) => usage.filter(({ counts }) => isSome(counts))

/** The rest of a sum after subtracting the usage recorded below; empty if more is recorded below than the sum has. */
function restOf(node: TraceNode, frontier: readonly number[], nodes: readonly TraceNode[]): CountedUsage {
  if (frontier.length === 0) return { count: 'whole', usage: usedOf(node.usage) }
  const left = new Map<string, TokenCounts>()
  for (const { model, counts } of node.usage) left.set(model, addCounts(left.get(model) ?? noTokens, counts))
  const isOfParts = new Map([...left].map(([model, { input, output }]) => [model, input + output > 0]))
  for (const below of frontier) {
    for (const { model, counts } of nodes[below]!.usage) left.set(model, subtractCounts(left.get(model) ?? noTokens, counts))
  }
  for (const [model, counts] of left) {
    // A sum that is taken of its parts leaves out the totals alone among what it is the sum of.
    if (isOfParts.get(model) === true) left.set(model, { ...counts, total: counts.input + counts.output })
  }
  const own = new Map(node.usage.map((used) => [used.model, used]))
  // The rest has the prices of the whole: of which requests it is the rest is not known.
  const rest = [...left].map(([model, counts]) => ({ ...own.get(model), model, counts }))
  if (rest.some(({ counts }) => hasNegative(counts))) return { count: 'below', usage: [] }
  const used = usedOf(rest).map((one) => ({ ...one, counts: fitParts(one.counts) }))
  return used.length === 0 ? { count: 'below', usage: [] } : { count: 'rest', usage: used }
}
