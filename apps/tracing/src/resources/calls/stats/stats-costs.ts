import type { TokenPrices } from '../../costs/cost-row.ts'
import { priceTokens } from '../../costs/price-usage.ts'
import type { CostMetric, Stat, TokenMetric } from './stats-metrics.ts'

/** Sums of tokens of one bucket and model. */
export type TokenSums = Readonly<
  Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', number>
>

/** The sums that costs are made of, as stats to ask for beside those of the request. */
export const paidStats = (['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const).map(
  (metric): Stat<TokenMetric> & { metric: keyof TokenSums } => ({
    key: `sum_${metric}`,
    metric,
    kind: 'aggregation',
    aggregation: 'sum',
  }),
)

/** The members of a bucket for the cost metrics asked for. Tokens without a price cost 0. */
export function costMembers(metrics: readonly CostMetric[], sums: TokenSums, price: TokenPrices | undefined): Record<string, number> {
  const costs = price === undefined ? { input_cost: 0, output_cost: 0, total_cost: 0 } : costsOf(sums, price)
  return Object.fromEntries(metrics.map((metric) => [`sum_${metric}`, costs[metric]]))
}

function costsOf(sums: TokenSums, price: TokenPrices): Record<CostMetric, number> {
  const paid = priceTokens(
    {
      prompt_tokens: sums.input_tokens,
      completion_tokens: sums.output_tokens,
      cache_read_input_tokens: sums.cache_read_input_tokens,
      cache_creation_input_tokens: sums.cache_creation_input_tokens,
    },
    price,
  )
  const [input_cost, output_cost] = [paid.prompt_tokens_total_cost, paid.completion_tokens_total_cost]
  const cached = paid.cache_read_input_tokens_total_cost + paid.cache_creation_input_tokens_total_cost
  return { input_cost, output_cost, total_cost: input_cost + output_cost + cached }
}
