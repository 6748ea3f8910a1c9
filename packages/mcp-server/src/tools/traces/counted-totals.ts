import { displayNameOf } from '@heddle/core-api'
import type { UsageTotal } from '@heddle/core-api/types'
import { addTotals, type CallTotal, noTotal } from '@heddle/trace-model'
import type { ToolContext, TracingClient } from '../tool-context.ts'

/** Tokens and cost by group, as the service counts them over all calls of a range. */
export interface CountedTotals<Total extends CallTotal = CallTotal> {
  /** By name of the model or op, status or date. */
  byKey: Map<string, Total>
  /** Groups some of whose usage has no known price. */
  unpriced: string[]
}

interface Range {
  since: string
  until: string
}

const maxGroups = 1_000

/** By what calls are grouped; days are those of a time zone. */
export interface CallGrouping {
  by: 'op' | 'status' | 'day'
  timeZone: string
}

/** Usage by op, status or day of the calls. Ops with the same name, such as versions under several references, are counted together. */
export async function readCallTotals({ by, timeZone }: CallGrouping, range: Range, context: ToolContext): Promise<CountedTotals> {
  const byKey: CountedTotals['byKey'] = new Map()
  const unpriced = new Set<string>()
  for (const group of await readGroups({ group_by: by, timezone: timeZone }, range, context)) {
    const name = by === 'op' ? displayNameOf({ op_name: group.key ?? '' }) : (group.key ?? '')
    byKey.set(name, addTotals(byKey.get(name) ?? noTotal, totalOf(group)))
    if (group.unpriced_uses > 0) unpriced.add(name)
  }
  return { byKey, unpriced: [...unpriced] }
}

/** A model with the calls whose use of it counts. */
export interface ModelTotal extends CallTotal {
  calls: NonNullable<UsageTotal['calls']>
}

/** Usage by model, and the calls with usage that counts, so that a request that two instrumentations report is counted once. */
export async function readModelTotals(range: Range, context: ToolContext): Promise<CountedTotals<ModelTotal>> {
  const groups = await readGroups({ group_by: 'model', include_calls: true }, range, context)
  const byKey = new Map(
    groups.flatMap((group): [string, ModelTotal][] =>
      group.calls === undefined ? [] : [[group.key ?? '', { ...totalOf(group), calls: group.calls }]],
    ),
  )
  return { byKey, unpriced: groups.flatMap(({ key, unpriced_uses }) => (unpriced_uses > 0 ? [key ?? ''] : [])) }
}

type Grouping = Pick<Parameters<TracingClient['calls']['usageTotals']>[0], 'group_by' | 'timezone' | 'include_calls'>

async function readGroups(grouping: Grouping, range: Range, { tracing, project, signal }: ToolContext): Promise<UsageTotal[]> {
  const { since: start, until: end } = range
  const query = { project_id: project().id, start, end, limit: maxGroups, ...grouping }
  return (await tracing.calls.usageTotals(query, { signal, timeoutMs: 120_000 })).groups
}

function totalOf({ total_tokens: tokens, cost, priced_as, reported_uses }: UsageTotal): CallTotal {
  return { tokens, cost, pricedAs: priced_as, reportedUses: reported_uses }
}
