import { badRequest, tooLarge, type Handlers, type tracing } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { callStats } from './call-stats.ts'
import type { CallsStatsStore } from './calls-stats-store.ts'
import type { CallColumns } from './call-record.ts'
import type { CallsStore } from './calls-store.ts'
import { rollUpUsage, type RolledUsage, type UsageNode } from './roll-up-usage.ts'
import { toUsageAnswer } from './usage-answer.ts'

type Calls = (typeof tracing)['calls']
type StatsOperation = 'stats' | 'usage' | 'traceUsage'

interface CallsStatsDeps {
  store: CallsStore
  statsStore: CallsStatsStore
  clock: () => Micros
}

/** Operations that sum up calls. */
export function callsStatsHandlers({ store, statsStore, clock }: CallsStatsDeps): Handlers<Pick<Calls, StatsOperation>, TracingContext> {
  return {
    async stats(input, context) {
      const project = await context.open(input.project_id)
      return { ...(await callStats({ ...input, project }, statsStore, clock())) }
    },

    async usage({ project_id, call_ids, include_costs, limit }, context) {
      if (limit < 1) throw badRequest(`limit ${limit} is not possible: it counts the calls of a trace and is at least 1`)
      const project = await context.open(project_id)
      const traces = await store.countTraces(project, call_ids)
      const long = traces.find((trace) => trace.calls > limit)
      if (long !== undefined) throw tooLarge(`Trace ${long.trace_id} has ${long.calls} calls, more than ${limit}: raise limit`)
      return toUsageAnswer(
        await rollUpTraces(
          store,
          project,
          traces.map((trace) => trace.trace_id),
        ),
        call_ids,
        include_costs,
      )
    },

    async traceUsage({ project_id, filter, query, include_costs, limit }, context) {
      const project = await context.open(project_id)
      const selection = { filter, query, limit, sort_by: null, offset: null, expand_columns: null }
      const nodes: UsageNode[] = []
      for await (const keys of await store.select(project, selection)) {
        for (const call of await store.readPage(project, keys, new Set(['summary']))) nodes.push(toUsageNode(call))
      }
      return toUsageAnswer(
        rollUpUsage(nodes),
        nodes.map((node) => node.id),
        include_costs,
      )
    },
  }
}

/** Traces are rolled up one after the other, so that many of them do not meet in memory. */
async function rollUpTraces(store: CallsStore, project: ProjectScope, traceIds: readonly string[]): Promise<RolledUsage> {
  const all: RolledUsage = { byCall: new Map(), unfinished: [] }
  for (const traceId of traceIds) {
    const rolled = rollUpUsage(await store.readUsage(project, [traceId]))
    for (const [id, usage] of rolled.byCall) all.byCall.set(id, usage)
    all.unfinished.push(...rolled.unfinished)
  }
  return { ...all, unfinished: all.unfinished.sort() }
}

function toUsageNode(call: CallColumns): UsageNode {
  return { id: call.id, parent_id: call.parent_id, ended: call.ended_at !== null, summary: call.summary ?? '{}' }
}
