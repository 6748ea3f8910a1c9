import type { Call } from '@heddle/core-api'
import { memberOf } from '@heddle/core-api/internal'
import { noTokens, readUsage, type TokenCounts } from '@heddle/trace-model'

/** What calls used of one model. */
export interface ModelUsage {
  model: string
  inputTokens: number
  /** Of the input, read from a cache. */
  cachedTokens: number
  outputTokens: number
  /** Input and output; the total of the client where it tells no parts. */
  tokens: number
  /** Null without a known price. */
  cost: number | null
  /** Uses without a known price, which the cost leaves out. */
  unpriced: number
}

const costNames = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
]

/** What the summary of a call says of each model. */
export function usageOfCall({ summary }: Pick<Call, 'summary'>): ModelUsage[] {
  const costs = memberOf(memberOf(summary, 'weave'), 'costs')
  return readUsage(summary).map(({ model, counts }) => {
    const paid = costNames.map((name) => memberOf(memberOf(costs, model), name)).filter((cost) => typeof cost === 'number')
    return {
      model,
      inputTokens: counts.input,
      cachedTokens: counts.cacheRead,
      outputTokens: counts.output,
      tokens: counts.total,
      cost: paid.length === 0 ? null : paid.reduce((sum, cost) => sum + cost, 0),
      unpriced: paid.length === 0 ? 1 : 0,
    }
  })
}

/** The counts as the rule compares them. */
export function toCounts({ inputTokens, cachedTokens, outputTokens, tokens }: Counts): TokenCounts {
  return { ...noTokens, input: inputTokens, cacheRead: cachedTokens, output: outputTokens, total: tokens }
}

/** Uses of the same model together, in the order of their first use. */
export function addUpModels(usages: readonly ModelUsage[]): ModelUsage[] {
  const byModel = new Map<string, ModelUsage>()
  for (const usage of usages) {
    const before = byModel.get(usage.model)
    byModel.set(usage.model, before ? { ...addUp(before, usage), model: usage.model } : usage)
  }
  return [...byModel.values()]
}

/** What was used, of one model or of several. */
export type Counts = Omit<ModelUsage, 'model'>

/** Two usages together. A cost that is not known adds nothing, and is counted. */
export function addUp(one: Counts, other: Counts): Counts {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    tokens: one.tokens + other.tokens,
    cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
    unpriced: one.unpriced + other.unpriced,
  }
}

/** Whether what a call used is its own: clients add what is used below a call to its usage, and count those calls. */
export function hasOwnUsage({ summary }: Pick<Call, 'summary'>, usage: readonly ModelUsage[]): boolean {
  const counts = memberOf(summary, 'status_counts')
  const calls =
    typeof counts === 'object' && counts !== null ? Object.values(counts).reduce<number>((sum, count) => sum + Number(count), 0) : 1
  return usage.length > 0 && calls <= 1
}
