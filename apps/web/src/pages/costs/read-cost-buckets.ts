interface Stats {
  usage_buckets: readonly Record<string, unknown>[]
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
    const startedAt = String(bucket['timestamp'])
    const found = buckets.get(startedAt) ?? { startedAt, endedAt: endOf(startedAt, granularity), tokens: 0, cost: 0 }
    found.tokens += numberAt(bucket, 'sum_input_tokens') + numberAt(bucket, 'sum_output_tokens')
    found.cost += numberAt(bucket, 'sum_total_cost')
    buckets.set(startedAt, found)
  }
  return [...buckets.values()]
}

function endOf(startedAt: string, seconds: number): string {
  const at = Date.parse(startedAt) + seconds * 1_000
  return Number.isNaN(at) ? startedAt : new Date(at).toISOString()
}

function numberAt(bucket: Record<string, unknown>, name: string): number {
  const value = bucket[name]
  return typeof value === 'number' ? value : 0
}
