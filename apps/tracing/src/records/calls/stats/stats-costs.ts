import { detailCounts, type PaidCounts, priceParts, type TokenRates } from '@heddle/trace-model'
import type { CostMetric, PaidMetric, Stat, TokenMetric } from './stats-metrics.ts'

type TokensOfAll = Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', number>

/** Sums of one bucket and model, of which costs are made; those of `PaidMetric` are absent for what calls report. */
export type PaidSums = Readonly<TokensOfAll & Partial<Record<PaidMetric, number>>>

const sumOf = <M extends string>(metric: M): Stat<M> => ({ key: `sum_${metric}`, metric, kind: 'aggregation', aggregation: 'sum' })

/** The sums from which costs are computed, as stats to request in addition to those of the request. */
export const paidStats: readonly Stat<keyof TokensOfAll & TokenMetric>[] = (
  ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
).map(sumOf)

/** The same of usage that counts alone. */
export const countedStats: readonly Stat<PaidMetric>[] = ([...detailCounts, 'reported_costs', 'reported_nanos'] as const).map(sumOf)

/** The sums behind the stats of a request, in the order of `paidStats` and `countedStats`. */
export function toPaidSums(stats: readonly (number | null)[] = []): PaidSums {
  const named = [...paidStats, ...countedStats].map(({ metric }, at) => [metric, stats[at] ?? 0])
  return Object.fromEntries(named) as unknown as PaidSums
}

/** The members of a bucket for the requested cost metrics. Tokens without a price cost the amount that their uses report, 0 if they report none. */
export function costMembers(metrics: readonly CostMetric[], sums: PaidSums, rates: TokenRates | undefined): Record<string, number> {
  const nanos = sums.reported_nanos ?? 0
  const costs = rates === undefined ? { input_cost: 0, output_cost: 0, total_cost: nanos / 1e9 } : costsOf(sums, rates)
  return Object.fromEntries(metrics.map((metric) => [`sum_${metric}`, costs[metric]]))
}

/** The sum of two costs with the same members. */
export function addCosts(one: Record<string, number> | undefined, other: Record<string, number>): Record<string, number> {
  return one === undefined ? other : Object.fromEntries(Object.entries(other).map(([name, cost]) => [name, cost + (one[name] ?? 0)]))
}

function costsOf(sums: PaidSums, rates: TokenRates): Record<CostMetric, number> {
  const { input, output, cacheRead, cacheWrite } = priceParts(toCounts(sums), rates)
  return { input_cost: input, output_cost: output, total_cost: input + output + cacheRead + cacheWrite }
}

function toCounts(sums: PaidSums): PaidCounts {
  return {
    input: sums.input_tokens,
    output: sums.output_tokens,
    cacheRead: sums.cache_read_input_tokens,
    cacheReadAudio: sums.cacheReadAudio ?? 0,
    cacheReadImage: sums.cacheReadImage ?? 0,
    cacheWrite: sums.cache_creation_input_tokens,
    cacheWrite1h: sums.cacheWrite1h ?? 0,
    inputAudio: sums.inputAudio ?? 0,
    inputImage: sums.inputImage ?? 0,
    outputAudio: sums.outputAudio ?? 0,
    outputImage: sums.outputImage ?? 0,
    reasoning: sums.reasoning ?? 0,
  }
}
