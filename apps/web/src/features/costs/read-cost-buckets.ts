import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../charts/stats-bucket.ts'

interface Stats extends BucketGrid {
  usage_buckets: readonly StatsBucket[]
}

interface TokensAndCost {
  tokens: number
  cost: number
}

/** Tokens and cost of a part of a range, over all models and of each. */
export interface CostBucket extends TokensAndCost {
  startedAt: string
  endedAt: string
  models: ReadonlyMap<string, TokensAndCost>
}

/** Adds up the models of each part, ordered by time. */
export function readCostBuckets({ usage_buckets, ...grid }: Stats): CostBucket[] {
  const timesOfBucket = timesOf(usage_buckets, grid)
  const buckets = new Map<string, CostBucket & { models: Map<string, TokensAndCost> }>()
  for (const bucket of usage_buckets) {
    const times = timesOfBucket(bucket)
    const found = buckets.get(times.startedAt) ?? { ...times, tokens: 0, cost: 0, models: new Map<string, TokensAndCost>() }
    const tokens = numberAt(bucket, 'sum_total_tokens') ?? 0
    const cost = numberAt(bucket, 'sum_total_cost') ?? 0
    found.tokens += tokens
    found.cost += cost
    const model = bucket['model']
    if (typeof model === 'string') found.models.set(model, { tokens, cost })
    buckets.set(times.startedAt, found)
  }
  return [...buckets.values()]
}
