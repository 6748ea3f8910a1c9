import { bind, type ScopedAnalytical, sql } from '@heddle/datastore'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { nodesOf, type NodesOfTrace } from '../../../records/calls/settle/settle-traces-store.sql.ts'
import { toStoredNode } from '../../../records/calls/settle/settled-rows.ts'
import { turnsSql } from '../threads-store.sql.ts'
import { maxCallsOfTurns, type StoredTurn, type TurnsStore } from './turns-store.ts'

export function sqlTurnsStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): TurnsStore {
  return {
    async select(project, { thread_id, after, limit }) {
      const place = sql`toUnixTimestamp64Micro(started_at)`
      const rest = after === null ? sql`1` : sql`(${place}, id) > (${bind('Int64', after.started_at)}, ${bind('String', after.id)})`
      const conditions = [sql`thread_id = ${bind('String', thread_id)}`]
      const turns = turnsSql({ projectId: project.id, visibility: await visibility.of(project), conditions, areFew: true })
      return analytical.of(project).rows<StoredTurn>(
        sql`SELECT id, trace_id, toFloat64(${place}) AS started_micros, toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros
          FROM (${turns}) WHERE ${rest} ORDER BY started_at, id LIMIT ${bind('UInt64', limit)}`,
      )
    },

    async readNodes(project, traceId) {
      const micros = {
        from: sql`toFloat64(toUnixTimestamp64Micro(started_at))`,
        until: sql`toFloat64(toUnixTimestamp64Micro(last_start_at))`,
      }
      const [trace] = await analytical.of(project).rows<{ from_micros: number; until_micros: number; calls: number }>(
        sql`SELECT ${micros.from} AS from_micros, ${micros.until} AS until_micros, toFloat64(calls) AS calls
          FROM heddle.traces FINAL WHERE project_id = ${bind('String', project.id)} AND trace_id = ${bind('String', traceId)}`,
      )
      if (trace === undefined || trace.calls > maxCallsOfTurns) return undefined
      const range = { from: trace.from_micros, until: trace.until_micros }
      const [called] = await analytical.of(project).rows<NodesOfTrace>(nodesOf([{ project_id: project.id, trace_id: traceId }], range))
      return called?.nodes.map(toStoredNode) ?? []
    },
  }
}
