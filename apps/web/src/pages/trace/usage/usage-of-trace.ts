import {
  type CallMark,
  parentsFirst,
  type SettledTrace,
  settleTrace,
  sumBelow,
  type TraceNode,
  type TreeCall,
  type TreeNode,
} from '@heddle/trace-model'
import { addUp, addUpModels, type Counts, type ModelUsage, toCounts } from '../../calls/model-usage.ts'
import type { TraceCall } from '../trace-queries.ts'

/** What calls of a trace say they used, by their ids. Those that said nothing are not in it. */
export type UsageByCall = ReadonlyMap<string, readonly ModelUsage[]>

/** Tokens and cost of a call with what is below it. */
export interface TotalUsage {
  tokens: number
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
  const counted = new Map<string, readonly ModelUsage[]>()
  for (const [id, mark] of settled?.marks ?? []) {
    const usage = mark.count === 'rest' ? restOf(mark, id, reported) : mark.count === 'whole' ? reported.get(id) : undefined
    if (usage !== undefined && usage.length > 0) counted.set(id, usage)
  }
  return counted
}

/** What is left of the sum that a call reports: its tokens as they count, and its cost less that of the calls whose usage is taken away. */
function restOf({ counted, less }: CallMark, id: string, reported: UsageByCall): ModelUsage[] {
  const below = addUpModels(less.flatMap((call) => reported.get(call) ?? []))
  return counted.flatMap(({ model, counts }) => {
    const own = reported.get(id)?.find((usage) => usage.model === model)
    if (own === undefined) return []
    const taken = below.find((usage) => usage.model === model)
    const cost = own.cost === null ? null : Math.max(0, own.cost - (taken?.cost ?? 0))
    const tokens = { inputTokens: counts.input, cachedTokens: counts.cacheRead, outputTokens: counts.output, tokens: counts.total }
    return [{ ...own, ...tokens, cost }]
  })
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

const toTotal = ({ tokens, cost, unpriced }: ModelUsage): TotalUsage => ({ tokens, cost, unpriced })

function addTotals(one: TotalUsage, other: TotalUsage): TotalUsage {
  const none: Pick<Counts, 'inputTokens' | 'cachedTokens' | 'outputTokens'> = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
  const { tokens, cost, unpriced } = addUp({ ...none, ...one }, { ...none, ...other })
  return { tokens, cost, unpriced }
}
