import type { OutputOf, tracing } from '@heddle/core-api'
import { costNames, type PricedUsage } from './priced-usage.ts'
import type { RolledUsage } from './roll-up-usage.ts'

type UsageAnswer = OutputOf<(typeof tracing)['calls']['usage']>
type Usage = UsageAnswer['call_usage'][string][string]

const noCosts = Object.fromEntries(costNames.map((name) => [name, null])) as Record<(typeof costNames)[number], null>

/** The answer of a usage operation for the given calls; `{}` for one without usage. Costs are null where they were not asked for. */
export function toUsageAnswer(rolled: RolledUsage, ids: readonly string[], includeCosts: boolean): UsageAnswer {
  const shown = (usage: PricedUsage): Usage => (includeCosts ? usage : { ...usage, ...noCosts })
  const usageOf = (id: string) => [...(rolled.byCall.get(id) ?? [])].map(([model, usage]) => [model, shown(usage)])
  return {
    call_usage: Object.fromEntries(ids.map((id) => [id, Object.fromEntries(usageOf(id))])),
    unfinished_call_ids: rolled.unfinished,
  }
}
