import { bind, join, sql, type ScopedAnalytical } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import { readUsage } from '@heddle/trace-model'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { seen } from '../../../query/calls-query.ts'
import type { CallsStore, TreeNode } from '../calls-store.ts'
import { isPossibleId } from '../row/version-lookup-store.sql.ts'
import { type PricedCallColumns, toUsedIn } from '../row/call-facts.ts'
import { usageOf } from '../../../payload/usage-counts.ts'

type CallTracesStore = Pick<CallsStore, 'findTraces' | 'countTraces' | 'traceSizes' | 'aboveFailed' | 'readUsage' | 'totalBytes'>

/** Queries about whole traces: their trees, their sizes and their usage. */
export function sqlCallTracesStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): CallTracesStore {
  const live = async (project: ProjectScope) => join(seen(project.id, await visibility.of(project)), sql` AND `)
  const tracesOf = async (project: ProjectScope, ids: readonly string[]) =>
    sql`trace_id IN (SELECT trace_id FROM heddle.calls FINAL WHERE ${await live(project)} AND id IN ${bind('Array(String)', ids.filter(isPossibleId))})`

  return {
    async findTraces(project, ids) {
      const statement = sql`SELECT id, parent_id FROM heddle.calls FINAL WHERE ${await live(project)} AND ${await tracesOf(project, ids)}`
      const nodes: TreeNode[] = []
      for await (const block of analytical.of(project).blocks<TreeNode>(statement, { isConsistent: true }))
        for (const node of block) nodes.push(node)
      return nodes
    },

    async countTraces(project, ids) {
      return analytical
        .of(project)
        .rows<{ trace_id: string; calls: number; live: string[] }>(
          sql`SELECT trace_id, toFloat64(count()) AS calls, groupArrayIf(id, id IN ${bind('Array(String)', ids.filter(isPossibleId))}) AS live FROM heddle.calls FINAL WHERE ${await live(project)} AND ${await tracesOf(project, ids)} GROUP BY trace_id`,
          { isConsistent: true },
        )
    },

    async readUsage(project, traceIds) {
      const rows = await analytical
        .of(project)
        .rows<PricedCallColumns & { id: string; parent_id: string; ended: number; started_micros: number; summary: string }>(
          sql`SELECT id, parent_id, isNotNull(ended_at) AS ended, toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, summary,
            toString(kind_words) AS kind_words, toString(span_scope) AS span_scope, toString(service_tier) AS service_tier FROM heddle.calls FINAL
          WHERE ${await live(project)} AND trace_id IN ${bind('Array(String)', traceIds)}`,
        )
      return rows.map(({ id, parent_id, ended, started_micros, summary, ...columns }) => {
        const usage = usageOf(summary)
        const uses = usage.size === 0 ? [] : readUsage(parseJson(summary), toUsedIn(columns))
        return { id, parent_id, ended: Number(ended) === 1, started_at: started_micros, usage, uses }
      })
    },

    async traceSizes(project, traceIds) {
      if (traceIds.length === 0) return new Map()
      const rows = await analytical.of(project).rows<{ trace_id: string; bytes: number }>(
        sql`SELECT trace_id, toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL
          WHERE ${await live(project)} AND trace_id IN ${bind('Array(String)', traceIds)} GROUP BY trace_id`,
      )
      return new Map(rows.map((row) => [row.trace_id, row.bytes]))
    },

    async aboveFailed(project, traceIds) {
      if (traceIds.length === 0) return new Set()
      const rows = await analytical
        .of(project)
        .rows<{ id: string }>(
          sql`SELECT arrayJoin(failed_above) AS id FROM heddle.traces FINAL WHERE project_id = ${bind('String', project.id)} AND trace_id IN ${bind('Array(String)', traceIds)}`,
        )
      return new Set(rows.map(({ id }) => id))
    },

    async totalBytes(project) {
      const [row] = await analytical
        .of(project)
        .rows<{ bytes: number }>(
          sql`SELECT toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL WHERE ${await live(project)}`,
        )
      return row?.bytes ?? 0
    },
  }
}
