import { formatTimestamp } from '@heddle/core-api'
import type { ListedProject as Listed } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ListedProject } from '@heddle/identity'
import { costOfUsage } from '../costs/cost-of-usage.ts'
import { isSplit, noSplits } from '../../query/price-splits.ts'
import type { PricesOfProjects } from '../costs/prices.ts'
import { joinSplits, splitPrices } from '../costs/split-prices.ts'
import type { ProjectActivityStore } from './project-activity-store.ts'

const weekMicros = 7 * 86_400_000_000

export interface DescribeProjectsDeps {
  activity: ProjectActivityStore
  pricesOfProjects: PricesOfProjects
  clock: () => Micros
}

/** What happened in some projects lately. Takes four statements at most, however many projects there are. */
export async function describeProjects(
  projects: readonly ListedProject[],
  { activity, pricesOfProjects, clock }: DescribeProjectsDeps,
): Promise<Listed[]> {
  const now = clock()
  const scopes = projects.map(({ scope }) => scope)
  const range = { since: now - weekMicros, now }
  const recent = await activity.activity(scopes, range)
  const idle = scopes.filter(({ id }) => !recent.has(id))
  const used = scopes.filter(({ id }) => (recent.get(id)?.usage.length ?? 0) > 0)
  const models = [...recent.values()].flatMap(({ usage }) => usage.map(({ model }) => model))
  const [lastStarts, prices] = await Promise.all([activity.lastStarts(idle), pricesOfProjects(used, models)])
  const splitsOf = new Map(used.map(({ id }) => [id, splitPrices(recent.get(id)?.usage ?? [], prices.get(id) ?? new Map())]))
  const changed = used.filter(({ id }) => isSplit(splitsOf.get(id) ?? noSplits))
  const split = await activity.usage(changed, range, joinSplits([...splitsOf.values()]))
  return projects.map(({ scope: { id, entity, name }, created_at }) => {
    const { calls, errors, usage, lastStart } = recent.get(id) ?? { calls: 0, errors: 0, usage: [], lastStart: lastStarts.get(id) }
    const { cost, unpriced, reported, pricedAs } = costOfUsage(split.get(id) ?? usage, prices.get(id) ?? new Map())
    return {
      id,
      entity,
      name,
      created_at: formatTimestamp(created_at),
      last_call_at: lastStart === undefined ? null : formatTimestamp(lastStart),
      calls_7d: calls,
      errors_7d: errors,
      cost_7d: cost,
      unpriced_7d: unpriced,
      reported_7d: reported,
      priced_as: pricedAs,
    }
  })
}
