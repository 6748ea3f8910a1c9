import type { Call } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import {
  type CostSource,
  type ModelCost,
  noTokens,
  readCost,
  readUsage,
  sumKnown,
  type TokenCounts,
  type TokenRates,
} from '@heddle/trace-model'

/** What calls used of one model. */
export interface ModelUsage {
  model: string
  /** The name whose price it is, where the model has none under its own. */
  pricedAs?: string
  inputTokens: number
  /** Part of the input, read from a cache. */
  cachedTokens: number
  outputTokens: number
  /** Input and output; the client's total if it reports no parts. */
  tokens: number
  /** Null without a known price. */
  cost: number | null
  /** Uses without a known price, which the cost leaves out. */
  unpriced: number
  /** Uses without a known price whose cost is the one that the call reports; absent if there are none. */
  reported?: number
  /** All counts of a use that was read, and the prices of one token that make its cost. */
  counts?: TokenCounts
  rates?: TokenRates
  /** Which prices of the model these are, where they are not its plain ones: `flex`, `above 200,000 tokens`. */
  tier?: string
}

/** Usage per model in the summary of a call. */
export function usageOfCall({ summary }: Pick<Call, 'summary'>): ModelUsage[] {
  return readUsage(summary).map(({ model, counts }) => {
    const paid = readCost(summary, model)
    return {
      model,
      inputTokens: counts.input,
      cachedTokens: counts.cacheRead,
      outputTokens: counts.output,
      tokens: counts.total,
      cost: paid?.cost ?? null,
      unpriced: paid === undefined ? 1 : 0,
      ...(paid?.isReported === true && { reported: 1 }),
      ...(paid !== undefined && paid.pricedAs !== null && { pricedAs: paid.pricedAs }),
      ...(paid !== undefined && paid.rates !== null && { counts, rates: paid.rates }),
      ...(paid !== undefined && tierText(paid)),
    }
  })
}

function tierText({ serviceTier, aboveTokens }: Pick<ModelCost, 'serviceTier' | 'aboveTokens'>): { tier?: string } {
  const parts = [
    ...(serviceTier === null ? [] : [serviceTier]),
    ...(aboveTokens === null ? [] : [`above ${aboveTokens.toLocaleString('en')} tokens`]),
  ]
  return parts.length === 0 ? {} : { tier: parts.join(', ') }
}

/** The counts as the rule compares them. */
export function toCounts({ inputTokens, cachedTokens, outputTokens, tokens, cost, counts, reported = 0 }: Counts): TokenCounts {
  if (counts !== undefined) return counts
  const reportedNanos = reported === 0 ? 0 : Math.round((cost ?? 0) * 1e9)
  return {
    ...noTokens,
    reportedCosts: reported,
    reportedNanos,
    input: inputTokens,
    cacheRead: cachedTokens,
    output: outputTokens,
    total: tokens,
  }
}

/** Where the cost of some usage is from. */
export function sourceOfUses(uses: readonly ModelUsage[]): CostSource {
  return {
    pricedAs: [...new Set(uses.flatMap(({ pricedAs }) => pricedAs ?? []))].sort(),
    reported: uses.reduce((sum, { reported = 0 }) => sum + reported, 0),
  }
}

/** Uses of the same model together, in the order of their first use. */
export function addUpModels(usages: readonly ModelUsage[]): ModelUsage[] {
  const byModel = new Map<string, ModelUsage>()
  for (const usage of usages) {
    const before = byModel.get(usage.model)
    byModel.set(usage.model, before ? together(before, usage) : usage)
  }
  return [...byModel.values()]
}

/** The usage of one model in two calls, which may have different prices. */
function together({ counts: _counts, rates: _rates, tier, ...one }: ModelUsage, other: ModelUsage): ModelUsage {
  const { counts: _sum, ...sum } = addUp(one, other)
  return {
    ...one,
    ...sum,
    ...(tier !== undefined && tier === other.tier ? { tier } : tier === other.tier ? {} : { tier: 'several prices' }),
  }
}

/** Usage of one model or of several. */
export type Counts = Omit<ModelUsage, 'model' | 'pricedAs' | 'rates' | 'tier'>

/** Two usages together. A cost that is not known adds nothing, and is counted. */
export function addUp(one: Counts, other: Counts): Counts {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    tokens: one.tokens + other.tokens,
    cost: sumKnown([one.cost, other.cost]),
    unpriced: one.unpriced + other.unpriced,
    ...((one.reported ?? other.reported) !== undefined && { reported: (one.reported ?? 0) + (other.reported ?? 0) }),
  }
}

/** Whether what a call used is its own: clients add what is used below a call to its usage, and count those calls. */
export function hasOwnUsage({ summary }: Pick<Call, 'summary'>, usage: readonly ModelUsage[]): boolean {
  const counts = memberOf(summary, 'status_counts')
  const calls =
    typeof counts === 'object' && counts !== null ? Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0) : 1
  return usage.length > 0 && calls <= 1
}
