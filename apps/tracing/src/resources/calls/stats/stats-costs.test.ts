import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TokenPrices } from '../../costs/cost-row.ts'
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
  const members = costMembers(requested, sums, vectors.price_used[bucket_before.model])
  expect({ ...bucket_before, ...members }).toEqual(bucket_after)
})
