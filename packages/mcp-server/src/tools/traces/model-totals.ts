import type { ToolContext } from '../tool-context.ts'

/** Tokens and cost by model, as the service counts them over all calls of a range. */
export interface ModelTotals {
  byModel: Map<string, { tokens: number; cost: number | null }>
  /** Models whose price is unknown. */
  unpriced: string[]
}

const maxModels = 1_000

export async function readModelTotals(
  { since, until }: { since: string; until: string },
  { tracing, project, signal }: ToolContext,
): Promise<ModelTotals> {
  const query = { project_id: project().id, start: since, end: until, group_by: 'model' as const, limit: maxModels }
  const { groups } = await tracing.calls.usageTotals(query, { signal, timeoutMs: 120_000 })
  const named = groups.map(({ key, ...group }) => ({ ...group, model: key ?? '' }))
  return {
    byModel: new Map(named.map(({ model, input_tokens, output_tokens, cost }) => [model, { tokens: input_tokens + output_tokens, cost }])),
    unpriced: named.filter(({ unpriced_uses }) => unpriced_uses > 0).map(({ model }) => model),
  }
}
