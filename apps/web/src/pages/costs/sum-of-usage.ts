import type { UsageTotal } from '@heddle/core-api/types'

/** What some groups used together. */
export interface UsageSum {
  uses: number
  input: number
  cached: number
  output: number
  /** Input and output, and the totals of uses without either. */
  tokens: number
  /** Null when nothing is known. */
  cost: number | null
  /** Uses that the cost counts. */
  priced: number
}

/** Adds groups up. A cost that is known of some of them alone is the sum of those. */
export function sumOfUsage(groups: readonly UsageTotal[]): UsageSum {
  const sum: UsageSum = { uses: 0, input: 0, cached: 0, output: 0, tokens: 0, cost: null, priced: 0 }
  for (const { uses, input_tokens, cache_read_input_tokens, output_tokens, total_tokens, cost, unpriced_uses } of groups) {
    sum.uses += uses
    sum.input += input_tokens
    sum.cached += cache_read_input_tokens
    sum.output += output_tokens
    sum.tokens += total_tokens
    sum.priced += uses - unpriced_uses
    if (cost !== null) sum.cost = (sum.cost ?? 0) + cost
  }
  return sum
}

/** The models of which some uses have no price, those with the most such uses first. */
export function unpricedOf(models: readonly UsageTotal[]): { uses: number; models: string[] } {
  const found = models.filter(({ unpriced_uses }) => unpriced_uses > 0).toSorted((one, other) => other.unpriced_uses - one.unpriced_uses)
  return { uses: found.reduce((sum, { unpriced_uses }) => sum + unpriced_uses, 0), models: found.map(({ key }) => key ?? 'no model') }
}
