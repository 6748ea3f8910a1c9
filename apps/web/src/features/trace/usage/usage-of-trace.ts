import {
  type CostSource,
  countedUses,
  parentsFirst,
  type SettledTrace,
  settleTrace,
  sumBelow,
  sumKnown,
  type TraceNode,
  type TreeCall,
  type TreeNode,
} from '@heddle/trace-model'
import { addUpModels, type ModelUsage, sourceOfUses, toCounts } from '../../calls/model-usage.ts'
import type { TraceCall } from '../trace-queries.ts'

/** Reported usage of calls of a trace, by their ids. Calls without any are missing. */
export type UsageByCall = ReadonlyMap<string, readonly ModelUsage[]>

/** Tokens and cost of a call with those below it. */
export interface TotalUsage extends CostSource {
  /** Null for none. */
  tokens: number | null
  /** Null without any known price. */
  cost: number | null
  unpriced: number
}

/** Which usage of a trace counts, by the rule of the service. */
export function settleUsage(calls: readonly TraceCall[], reported: UsageByCall): SettledTrace | undefined {
  return settleTrace(
    calls.map((call): TraceNode => ({
      ...call,
      usage: (reported.get(call.id) ?? []).map(({ model, ...usage }) => ({ model, counts: toCounts(usage) })),
    })),
  )
}

/** What counts of the usage of a trace, by call. */
export function countedUsage(settled: SettledTrace | undefined, reported: UsageByCall): UsageByCall {
  return countedUses(settled, reported, (own, { counts, cost }) => ({
    ...own,
    inputTokens: counts.input,
    cachedTokens: counts.cacheRead,
    outputTokens: counts.output,
    tokens: counts.total,
    cost,
  }))
}

/** The totals of all calls at or below which usage counts. */
export function totalUsage<T extends TreeCall>(roots: readonly TreeNode<T>[], counted: UsageByCall): Map<string, TotalUsage> {
  return sumBelow(
    roots,
    ({ id }) => {
      const [first, ...others] = counted.get(id)?.map(toTotal) ?? []
      return first && others.reduce(addTotals, first)
    },
    addTotals,
  )
}

/** What counts of a call and those below it, by model. */
export function usageBelow<T extends TreeCall>(node: TreeNode<T>, counted: UsageByCall): ModelUsage[] {
  return addUpModels(parentsFirst([node]).flatMap(({ call }) => counted.get(call.id) ?? []))
}

const toTotal = (usage: ModelUsage): TotalUsage => ({
  tokens: usage.tokens || null,
  cost: usage.cost,
  unpriced: usage.unpriced,
  ...sourceOfUses([usage]),
})

function addTotals(one: TotalUsage, other: TotalUsage): TotalUsage {
  const isNew = other.pricedAs.some((name) => !one.pricedAs.includes(name))
  return {
    tokens: sumKnown([one.tokens, other.tokens]),
    cost: sumKnown([one.cost, other.cost]),
    unpriced: one.unpriced + other.unpriced,
    reported: one.reported + other.reported,
    pricedAs: isNew ? [...new Set([...one.pricedAs, ...other.pricedAs])].sort() : one.pricedAs,
  }
}
