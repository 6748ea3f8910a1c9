import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type TokenPrices, toRates } from '../../costs/price-tiers.ts'
import { costMembers } from './stats-costs.ts'
import type { CostMetric } from './stats-metrics.ts'

interface Vectors {
  call_stats_cost_metrics: {
    price_used: Record<string, TokenPrices>
    cases: { requested: CostMetric[]; bucket_before: Record<string, number> & { model: string }; bucket_after: Record<string, unknown> }[]
  }
}

const { call_stats_cost_metrics: vectors } = JSON.parse(
  readFileSync(new URL('../../../vectors/stats-vectors.json', import.meta.url), 'utf8'),
) as Vectors

test.each(vectors.cases)('$requested of $bucket_before costs as recorded', ({ requested, bucket_before, bucket_after }) => {
  const sum = (metric: string) => bucket_before[`sum_${metric}`] ?? 0
  const sums = {
    input_tokens: sum('input_tokens'),
    output_tokens: sum('output_tokens'),
    cache_read_input_tokens: sum('cache_read_input_tokens'),
    cache_creation_input_tokens: sum('cache_creation_input_tokens'),
  }
  const price = vectors.price_used[bucket_before.model]
  const members = costMembers(requested, sums, price && toRates({ ...price, details: null }, undefined))
  expect({ ...bucket_before, ...members }).toEqual(bucket_after)
})

test('without a price the total is what the uses say that they cost', () => {
  const tokens = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const sums = { ...tokens, reported_costs: 2, reported_nanos: 12_500_000 }
  expect(costMembers(['input_cost', 'total_cost'], sums, undefined)).toEqual({ sum_input_cost: 0, sum_total_cost: 0.0125 })
  const price = { prompt_token_cost: 1, completion_token_cost: 2, cache_read_input_token_cost: 0, cache_creation_input_token_cost: 0 }
  expect(costMembers(['total_cost'], sums, toRates({ ...price, details: null }, undefined))).toEqual({ sum_total_cost: 20 })
})
