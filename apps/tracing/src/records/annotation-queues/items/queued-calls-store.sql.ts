import { bind, join, type ScopedAnalytical, sql } from '@heddle/datastore'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { seen } from '../../../query/calls-query.ts'
import type { CallCopy } from './annotation-items-store.ts'
import { isStorable } from '../annotation-rows.ts'
import type { QueuedCallsStore } from './queued-calls-store.ts'

export function sqlQueuedCallsStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): QueuedCallsStore {
  return {
    async find(project, ids) {
      const possible = ids.filter(isStorable)
      if (possible.length === 0) return new Map()
      const conditions = [...seen(project.id, await visibility.of(project)), sql`id IN ${bind('Array(String)', possible)}`]
      const rows = await analytical.of(project).rows<CallCopy>(
        sql`SELECT id AS call_id, op_name AS call_op_name, trace_id AS call_trace_id,
          toFloat64(toUnixTimestamp64Micro(started_at)) AS call_started_at,
          if(isNull(ended_at), NULL, toFloat64(toUnixTimestamp64Micro(assumeNotNull(ended_at)))) AS call_ended_at
          FROM heddle.calls FINAL WHERE ${join(conditions, sql` AND `)}`,
      )
      return new Map(rows.map((row) => [row.call_id, row]))
    },
  }
}
