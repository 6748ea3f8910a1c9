import type { TreeCall, TreeNode } from '../build-tree.ts'
import { addUp, addUpModels, type ModelUsage } from '../../calls/model-usage.ts'

/** What calls of a trace say they used, by their ids. Those that said nothing are not in it. */
export type UsageByCall = ReadonlyMap<string, readonly ModelUsage[]>

/** Tokens and cost of a call with what is below it. */
export interface TotalUsage {
  tokens: number
  /** Null without any known price. */
  cost: number | null
  unpriced: number
}

/**
 * The totals of all calls below which something was used. What a call says of itself holds for all below it, since clients add up: it is not
 * counted again there. Takes time in proportion to the calls.
 */
export function totalUsage<T extends TreeCall>(roots: readonly TreeNode<T>[], usage: UsageByCall): Map<string, TotalUsage> {
  const totals = new Map<string, TotalUsage>()
  const nodes = parentsFirst(roots)
  for (const node of nodes.reverse()) {
    const own = usage.get(node.call.id)?.map(toTotal)
    const parts = own ?? node.children.map(({ call }) => totals.get(call.id)).filter((total) => total !== undefined)
    const [first, ...others] = parts
    if (first) totals.set(node.call.id, others.reduce(addTotals, first))
  }
  return totals
}

/** What a call and those below it used, by model. */
export function usageBelow<T extends TreeCall>(node: TreeNode<T>, usage: UsageByCall): ModelUsage[] {
  const found: ModelUsage[] = []
  const open = [node]
  for (let next = open.pop(); next; next = open.pop()) {
    const own = usage.get(next.call.id)
    if (own) found.push(...own)
    else open.push(...next.children.toReversed())
  }
  return addUpModels(found)
}

function parentsFirst<T extends TreeCall>(roots: readonly TreeNode<T>[]): TreeNode<T>[] {
  const nodes = [...roots]
  for (const { children } of nodes) for (const child of children) nodes.push(child)
  return nodes
}

const toTotal = ({ tokens, cost, unpriced }: ModelUsage): TotalUsage => ({ tokens, cost, unpriced })

function addTotals(one: TotalUsage, other: TotalUsage): TotalUsage {
  const none = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 }
  const { tokens, cost, unpriced } = addUp({ ...none, ...one }, { ...none, ...other })
  return { tokens, cost, unpriced }
}
