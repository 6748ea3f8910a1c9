import type { ToolContext } from '../tool-context.ts'

/** Tokens and cost by model, as the service counts them over all calls of a range. */
export interface ModelTotals {
  byModel: Map<string, { tokens: number; cost: number | null }>
  /** Models whose price is unknown. */
  unpriced: string[]
}

export async function readModelTotals(
  { since, until }: { since: string; until: string },
  { tracing, project, signal }: ToolContext,
): Promise<ModelTotals> {
  const metrics = ['total_tokens', 'input_tokens', 'output_tokens', 'total_cost'] as const
  const query = {
    project_id: project().id,
    start: since,
    end: until,
    granularity: 32 * 86_400,
    usage_metrics: metrics.map((metric) => ({ metric })),
  }
  const options = { signal, timeoutMs: 120_000 }
  // Roots have the usage of all below them; where clients do not sum it up, that of single calls is all there is.
  const [roots, all] = await Promise.all([
    tracing.calls.stats({ ...query, filter: { trace_roots_only: true } }, options),
    tracing.calls.stats(query, options),
  ])
  const byModel = sumsOf(all.usage_buckets)
  for (const [model, total] of sumsOf(roots.usage_buckets)) if (total.tokens > 0) byModel.set(model, total)
  const unpriced = Object.keys(all.unpriced_usage ?? {})
  const priced = [...byModel].map(
    ([model, { tokens, cost }]) => [model, { tokens, cost: unpriced.includes(model) && cost === 0 ? null : cost }] as const,
  )
  return { byModel: new Map(priced), unpriced }
}

function sumsOf(buckets: readonly Record<string, unknown>[]): Map<string, { tokens: number; cost: number }> {
  const sums = new Map<string, { tokens: number; cost: number }>()
  const numberAt = (bucket: Record<string, unknown>, name: string) => (typeof bucket[name] === 'number' ? bucket[name] : 0)
  for (const bucket of buckets) {
    const model = String(bucket['model'])
    const { tokens, cost } = sums.get(model) ?? { tokens: 0, cost: 0 }
    const counted = numberAt(bucket, 'sum_total_tokens') || numberAt(bucket, 'sum_input_tokens') + numberAt(bucket, 'sum_output_tokens')
    sums.set(model, { tokens: tokens + counted, cost: cost + numberAt(bucket, 'sum_total_cost') })
  }
  return sums
}
