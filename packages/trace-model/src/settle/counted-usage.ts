import type { ParentLinks } from '../tree/link-parents.ts'
import type { ModelCounts } from '../usage/read-usage.ts'
import { addCounts, hasNegative, isSome, noTokens, subtractCounts, type TokenCounts } from '../usage/token-counts.ts'
import { findRepeatedSiblings, repeatsFrontier } from './repeated-requests.ts'
import type { ReportedUsage } from './reported-usage.ts'
import type { TraceNode } from './trace-node.ts'

/** Why usage that a call reports counts, in part or not. */
export type CallCount =
  /** All of it. */
  | 'whole'
  /** What its client did not record below it: the call reports the sum. */
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
}

/**
 * Which usage counts: tokens count where a model was called. Any other call's tokens count only where no call below it reports some. A model call
 * that repeats what a model call below or beside it reports (two instrumentations of one request) counts once.
 * @returns by place; undefined for calls that report nothing
 */
export function countUsage(nodes: readonly TraceNode[], links: ParentLinks, reported: ReportedUsage): (CountedUsage | undefined)[] {
  const repeatedSiblings = findRepeatedSiblings(nodes, links, reported)
  const none = (count: CallCount): CountedUsage => ({ count, usage: [] })
  return nodes.map((node, place) => {
    if (reported.sums[place] === undefined) return undefined
    if (node.wire === 'client') return restOf(node, reported.wireFrontiers[place]!, nodes)
    if (repeatedSiblings.has(place)) return none('repeated')
    if (reported.frontiers[place]!.length === 0) return { count: 'whole', usage: usedOf(node.usage) }
    if (!node.isModelCall) return none('below')
    return repeatsFrontier(place, nodes, reported) ? none('repeated') : { count: 'whole', usage: usedOf(node.usage) }
  })
}

const usedOf = (usage: readonly ModelCounts[]) => usage.filter(({ counts }) => isSome(counts))

/** What is left of a sum when what is recorded below is taken away; nothing where more is recorded below than the sum has. */
function restOf(node: TraceNode, frontier: readonly number[], nodes: readonly TraceNode[]): CountedUsage {
  if (frontier.length === 0) return { count: 'whole', usage: usedOf(node.usage) }
  const left = new Map<string, TokenCounts>()
  for (const { model, counts } of node.usage) left.set(model, addCounts(left.get(model) ?? noTokens, counts))
  for (const below of frontier) {
    for (const { model, counts } of nodes[below]!.usage) left.set(model, subtractCounts(left.get(model) ?? noTokens, counts))
  }
  const rest = [...left].map(([model, counts]) => ({ model, counts }))
  if (rest.some(({ counts }) => hasNegative(counts))) return { count: 'below', usage: [] }
  const used = usedOf(rest)
  return used.length === 0 ? { count: 'below', usage: [] } : { count: 'rest', usage: used }
}
