import type { OutputOf, tracing } from '@heddle/core-api'
import type { RolledUsage } from './roll-up-usage.ts'

type UsageAnswer = OutputOf<(typeof tracing)['calls']['usage']>

const costNames = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
] as const

/** The answer of a usage operation for the given calls; `{}` for one without usage. A model without a price costs 0 where costs were asked for. */
export function toUsageAnswer(rolled: RolledUsage, ids: readonly string[], includeCosts: boolean): UsageAnswer {
  const costs = Object.fromEntries(costNames.map((name) => [name, includeCosts ? 0 : null])) as Record<
    (typeof costNames)[number],
    number | null
  >
  const usageOf = (id: string) => [...(rolled.byCall.get(id) ?? [])].map(([model, usage]) => [model, { ...usage, ...costs }])
  return {
    call_usage: Object.fromEntries(ids.map((id) => [id, Object.fromEntries(usageOf(id))])),
    unfinished_call_ids: rolled.unfinished,
  }
}
