import { numberAt, type StatsBucket, timesOf } from '../../components/bars-over-time/stats-bucket.ts'

interface Stats {
  usage_buckets: readonly StatsBucket[]
  granularity: number
}

/** Tokens and cost of a part of a range, over all models. */
export interface CostBucket {
  startedAt: string
  endedAt: string
  tokens: number
  cost: number
}

/** Adds the models of each bucket up, in order of time. */
export function readCostBuckets({ usage_buckets, granularity }: Stats): CostBucket[] {
  const buckets = new Map<string, CostBucket>()
  for (const bucket of usage_buckets) {
    const times = timesOf(bucket, granularity)
    const found = buckets.get(times.startedAt) ?? { ...times, tokens: 0, cost: 0 }
    found.tokens += (numberAt(bucket, 'sum_input_tokens') ?? 0) + (numberAt(bucket, 'sum_output_tokens') ?? 0)
    found.cost += numberAt(bucket, 'sum_total_cost') ?? 0
    buckets.set(times.startedAt, found)
  }
  return [...buckets.values()]
}
