import { buildTree, type TreeNode } from '../tree/build-tree.ts'
import { sumBelow } from '../tree/sum-below.ts'
import type { TokenRates } from '../usage/price-counts.ts'
import { readCost } from '../usage/read-costs.ts'
import { type ModelCounts, readUsage } from '../usage/read-usage.ts'
import { sumKnown } from '../usage/sum-known.ts'
import { countedUses } from './counted-uses.ts'
import { readNode, type RecordedNode } from './read-node.ts'
import { type SettledTrace, settleTrace } from './settle-trace.ts'
import type { TraceNode } from './trace-node.ts'

/** A recorded call as a node of its trace. */
export interface SettledCall<T extends RecordedNode> extends TraceNode {
  call: T
}

/** What counts of a call and those below it. */
export interface CallTotal {
  /** Null for none. */
  tokens: number | null
  /** Null without any known price, and where calls were read without `include_costs`. */
  cost: number | null
  /** Names of the prices of models that have none under their own name, sorted. */
  pricedAs: readonly string[]
  /** Uses of models without a price whose cost is the one reported by their calls. */
  reportedUses: number
}

/** The calls of one trace as a tree, with the usage that counts. */
export interface SettledCalls<T extends RecordedNode> {
  roots: TreeNode<SettledCall<T>>[]
  /** Undefined for no calls. */
  trace: SettledTrace | undefined
  /** By call; those at and below which nothing counts are not in it. */
  totals: ReadonlyMap<string, CallTotal>
}

/** Settles the calls of one trace, as the API returns them, by the rule of the service. */
export function settleCalls<T extends RecordedNode>(calls: readonly T[]): SettledCalls<T> {
  const nodes = calls.map((call): SettledCall<T> => ({ ...readNode(call), call }))
  const trace = settleTrace(nodes)
  const roots = buildTree(nodes)
  const reported = new Map(calls.map(({ id, summary }) => [id, usesOf(summary)]))
  const counted = countedUses(trace, reported, (own, rest) => ({ ...own, ...rest }))
  return { roots, trace, totals: sumBelow(roots, ({ id }) => totalOf(counted.get(id) ?? []), addTotals) }
}

interface Use extends ModelCounts {
  cost: number | null
  rates: TokenRates | null
  pricedAs: string | null
  isReported: boolean
}

function usesOf(summary: unknown): Use[] {
  return readUsage(summary).map(({ model, counts }) => {
    const { cost = null, rates = null, pricedAs = null, isReported = false } = readCost(summary, model) ?? {}
    return { model, counts, cost, rates, pricedAs, isReported }
  })
}

function totalOf(uses: readonly Use[]): CallTotal | undefined {
  const total = uses.map(toTotal).reduce(addTotals, noTotal)
  return total.tokens === null && total.cost === null ? undefined : total
}

const toTotal = ({ counts, cost, pricedAs, isReported }: Use): CallTotal => ({
  tokens: counts.total || null,
  cost,
  pricedAs: pricedAs === null ? [] : [pricedAs],
  reportedUses: Number(isReported),
})

export const noTotal: CallTotal = { tokens: null, cost: null, pricedAs: [], reportedUses: 0 }

export function addTotals(one: CallTotal, other: CallTotal): CallTotal {
  return {
    tokens: sumKnown([one.tokens, other.tokens]),
    cost: sumKnown([one.cost, other.cost]),
    pricedAs: joinNames(one.pricedAs, other.pricedAs),
    reportedUses: one.reportedUses + other.reportedUses,
  }
}

/** Nearly all totals have no name, or the same ones. */
function joinNames(one: readonly string[], other: readonly string[]): readonly string[] {
  if (other.every((name) => one.includes(name))) return one
  return one.length === 0 ? other : [...new Set([...one, ...other])].sort()
}
