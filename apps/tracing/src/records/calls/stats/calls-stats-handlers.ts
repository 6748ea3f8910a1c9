import type { Handlers, OutputOf, tracing } from '@heddle/core-api'
import { badRequest, tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../../context.ts'
import type { PricesByModel } from '../../costs/price-usage.ts'
import type { PricesFor } from '../../costs/prices.ts'
import type { CallColumns, CallsStore, UsageNode } from '../calls-store.ts'
import { readUsedCalls } from '../read/used-calls.ts'
import { callStats } from './call-stats.ts'
import type { CallsStatsStore } from './calls-stats-store.ts'
import { costNames, type PricedUsage } from './priced-usage.ts'
import { type RolledUsage, rollUpUsage } from './roll-up-usage.ts'
import { traceTotals } from './trace-totals.ts'
import { usageTotals } from './usage-totals.ts'

type Calls = (typeof tracing)['calls']
type StatsOperation = 'stats' | 'usageTotals' | 'traceTotals' | 'usage' | 'traceUsage'

interface CallsStatsDeps {
  store: CallsStore
  statsStore: CallsStatsStore
  prices: PricesFor
  clock: () => Micros
}

/** Operations that sum up calls. */
export function callsStatsHandlers({
  store,
  statsStore,
  prices,
  clock,
}: CallsStatsDeps): Handlers<Pick<Calls, StatsOperation>, TracingContext> {
  const pricesOf = async (project: ProjectScope, nodes: readonly UsageNode[], includeCosts: boolean): Promise<PricesByModel> =>
    includeCosts ? prices(project, modelsOf(nodes)) : new Map()

  /** Traces are rolled up one after the other, so that many of them do not meet in memory. */
  async function rollUpTraces(project: ProjectScope, traceIds: readonly string[], includeCosts: boolean): Promise<RolledUsage> {
    const all: RolledUsage = { byCall: new Map(), unfinished: [] }
    for (const traceId of traceIds) {
      const nodes = await store.readUsage(project, [traceId])
      const rolled = rollUpUsage(nodes, await pricesOf(project, nodes, includeCosts))
      for (const [id, usage] of rolled.byCall) all.byCall.set(id, usage)
      all.unfinished.push(...rolled.unfinished)
    }
    return { ...all, unfinished: all.unfinished.sort() }
  }

  return {
    async stats(input, context) {
      const project = await context.open(input.project_id)
      return { ...(await callStats({ ...input, project }, { store: statsStore, prices, now: clock() })) }
    },

    async usageTotals(input, context) {
      const project = await context.open(input.project_id)
      return usageTotals({ ...input, project }, { store: statsStore, prices, now: clock() })
    },

    async traceTotals({ project_id, ...request }, context) {
      const project = await context.open(project_id)
      return traceTotals({ ...request, project }, { store: statsStore, prices, now: clock() })
    },

    async usage({ project_id, call_ids, include_costs, limit }, context) {
      if (limit < 1) throw badRequest(`limit must be at least 1 call of a trace, got ${limit}`)
      const project = await context.open(project_id)
      const traces = await store.countTraces(project, call_ids)
      const long = traces.find((trace) => trace.calls > limit)
      if (long !== undefined) throw tooLarge(`Trace ${long.trace_id} has ${long.calls} calls, more than ${limit}: raise limit`)
      const traceIds = traces.map((trace) => trace.trace_id)
      return toUsageAnswer(await rollUpTraces(project, traceIds, include_costs), call_ids, include_costs)
    },

    async traceUsage({ project_id, filter, query, include_costs, limit }, context) {
      const project = await context.open(project_id)
      const selection = { filter, query, limit, sort_by: null, offset: null, expand_columns: null }
      const nodes: UsageNode[] = []
      const pricesOfModels = include_costs ? (models: Iterable<string>) => prices(project, models) : undefined
      for await (const keys of await store.select(project, selection)) {
        const page = await store.readPage(project, keys, new Set(['summary']))
        const { calls } = await readUsedCalls({ store, pricesOf: pricesOfModels }, project, page)
        page.forEach((call, at) => nodes.push({ ...toTreeNode(call), ...calls[at]! }))
      }
      return toUsageAnswer(
        rollUpUsage(nodes, await pricesOf(project, nodes, include_costs)),
        nodes.map((node) => node.id),
        include_costs,
      )
    },
  }
}

function toTreeNode({ id, parent_id, ended_at }: CallColumns): Pick<UsageNode, 'id' | 'parent_id' | 'ended'> {
  return { id, parent_id, ended: ended_at !== null }
}

function modelsOf(nodes: readonly UsageNode[]): Set<string> {
  return new Set(nodes.flatMap(({ usage }) => [...usage.keys()]))
}

type UsageAnswer = OutputOf<(typeof tracing)['calls']['usage']>
type Usage = UsageAnswer['call_usage'][string][string]

const noCosts = Object.fromEntries(costNames.map((name) => [name, null])) as Record<(typeof costNames)[number], null>

/** The answer of a usage operation for the given calls; `{}` for one without usage. Costs are null if they were not requested. */
function toUsageAnswer(rolled: RolledUsage, ids: readonly string[], includeCosts: boolean): UsageAnswer {
  const shown = (usage: PricedUsage): Usage => (includeCosts ? usage : { ...usage, ...noCosts })
  const usageOf = (id: string) => [...(rolled.byCall.get(id) ?? [])].map(([model, usage]) => [model, shown(usage)])
  return {
    call_usage: Object.fromEntries(ids.map((id) => [id, Object.fromEntries(usageOf(id))])),
    unfinished_call_ids: rolled.unfinished,
  }
}
