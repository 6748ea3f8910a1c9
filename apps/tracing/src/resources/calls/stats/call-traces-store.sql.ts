import { tooLarge } from '@heddle/core-api/internal'
import { type AnsweredRow, bind, callsTable, join, rowDecoder, sql, type Micros, type ScopedAnalytical } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { seen } from '../../../query/calls-query.ts'
import type { CallPlace, CallsStore, TreeNode } from '../calls-store.ts'
import { latestVersions } from '../row/latest-versions.ts'
import { isPossibleId } from '../row/version-lookup-store.sql.ts'
import { usageOf } from './usage-counts.ts'

type CallTracesStore = Pick<CallsStore, 'findTraces' | 'findPlaces' | 'countTraces' | 'traceSizes' | 'readUsage' | 'totalBytes'>

/** Calls of the traces of one deletion: their ids are held in memory. */
const maxTraceCalls = 2_000_000

const place = rowDecoder(callsTable, ['id', 'started_at', 'trace_id', 'parent_id', 'version', 'is_deleted'])

/** What is asked of whole traces: their trees, their sizes and their usage. */
export function sqlCallTracesStore(analytical: ScopedAnalytical, clock: () => Micros): CallTracesStore {
  const live = (project: ProjectScope) => join(seen({ project_id: project.id, now: clock() }), sql` AND `)
  const tracesOf = (project: ProjectScope, ids: readonly string[]) =>
    sql`trace_id IN (SELECT trace_id FROM heddle.calls FINAL WHERE ${live(project)} AND id IN ${bind('Array(String)', ids.filter(isPossibleId))})`

  return {
    async findTraces(project, ids) {
      const statement = sql`SELECT id, parent_id FROM heddle.calls FINAL WHERE ${live(project)} AND ${tracesOf(project, ids)} LIMIT ${bind('UInt64', maxTraceCalls + 1)}`
      const nodes: TreeNode[] = []
      for await (const block of analytical.of(project).blocks<TreeNode>(statement, { isConsistent: true }))
        for (const node of block) nodes.push(node)
      if (nodes.length > maxTraceCalls)
        throw tooLarge(`the traces of these calls have more than ${maxTraceCalls} calls: delete fewer of them at a time`)
      return nodes
    },

    async findPlaces(project, traceIds, ids) {
      const versions = analytical
        .of(project)
        .blocks<AnsweredRow>(
          sql`SELECT ${place.select} FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND trace_id IN ${bind('Array(String)', traceIds)}`,
          { isConsistent: true },
        )
      const found: CallPlace[] = []
      for await (const block of versions) {
        for (const version of block) {
          const each = place.decode(version)
          if (ids.has(each.id)) found.push(each)
        }
      }
      return [...latestVersions(found, ({ id }) => id).values()]
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
