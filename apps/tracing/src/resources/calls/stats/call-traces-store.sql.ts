import { bind, join, sql, type Micros, type ScopedAnalytical } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { seen } from '../../../query/calls-query.ts'
import type { CallsStore, TreeNode } from '../calls-store.ts'
import { isPossibleId } from '../row/version-lookup-store.sql.ts'
import { usageOf } from './usage-counts.ts'

type CallTracesStore = Pick<CallsStore, 'findTraces' | 'countTraces' | 'traceSizes' | 'readUsage' | 'totalBytes'>

/** What is asked of whole traces: their trees, their sizes and their usage. */
export function sqlCallTracesStore(analytical: ScopedAnalytical, clock: () => Micros): CallTracesStore {
  const live = (project: ProjectScope) => join(seen({ project_id: project.id, now: clock() }), sql` AND `)
  const tracesOf = (project: ProjectScope, ids: readonly string[]) =>
    sql`trace_id IN (SELECT trace_id FROM heddle.calls FINAL WHERE ${live(project)} AND id IN ${bind('Array(String)', ids.filter(isPossibleId))})`

  return {
    findTraces(project, ids) {
      return analytical
        .of(project)
        .rows<TreeNode>(sql`SELECT id, parent_id FROM heddle.calls FINAL WHERE ${live(project)} AND ${tracesOf(project, ids)}`)
    },

    countTraces(project, ids) {
      return analytical
        .of(project)
        .rows<{ trace_id: string; calls: number }>(
          sql`SELECT trace_id, toFloat64(count()) AS calls FROM heddle.calls FINAL WHERE ${live(project)} AND ${tracesOf(project, ids)} GROUP BY trace_id`,
        )
    },

    async readUsage(project, traceIds) {
      const rows = await analytical
        .of(project)
        .rows<{ id: string; parent_id: string; ended: number; started_micros: number; summary: string }>(
          sql`SELECT id, parent_id, isNotNull(ended_at) AS ended, toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros, summary FROM heddle.calls FINAL
          WHERE ${live(project)} AND trace_id IN ${bind('Array(String)', traceIds)}`,
        )
      return rows.map(({ id, parent_id, ended, started_micros, summary }) => ({
        id,
        parent_id,
        ended: Number(ended) === 1,
        started_at: started_micros,
        usage: usageOf(summary),
      }))
    },

    async traceSizes(project, traceIds) {
      if (traceIds.length === 0) return new Map()
      const rows = await analytical.of(project).rows<{ trace_id: string; bytes: number }>(
        sql`SELECT trace_id, toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL
          WHERE ${live(project)} AND trace_id IN ${bind('Array(String)', traceIds)} GROUP BY trace_id`,
      )
      return new Map(rows.map((row) => [row.trace_id, row.bytes]))
    },

    async totalBytes(project) {
      const [row] = await analytical
        .of(project)
        .rows<{ bytes: number }>(sql`SELECT toFloat64(sum(storage_size_bytes)) AS bytes FROM heddle.calls FINAL WHERE ${live(project)}`)
      return row?.bytes ?? 0
    },
  }
}
