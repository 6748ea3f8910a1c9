import { bind, join, type ScopedAnalytical, sql } from '@heddle/datastore'
import { isFailed } from '../../query/call-conditions.ts'
import { alive } from '../../query/calls-query.ts'
import { notExpired } from '../../query/derived-conditions.ts'
import { modelUsage, type ModelUsageRow, toModelUsage } from '../../query/model-usage.ts'
import type { ProjectActivityStore } from './project-activity-store.ts'

interface ActivityRow {
  project_id: string
  calls: number
  errors: number
  last: number
}

export function sqlProjectActivityStore(analytical: ScopedAnalytical): ProjectActivityStore {
  return {
    async activity(projects, { since, now }) {
      const [scope] = projects
      if (!scope) return new Map()
      const ids = projects.map(({ id }) => id)
      const rows = await analytical.of(scope).rows<ActivityRow>(
        sql`SELECT project_id, toFloat64(count()) AS calls, toFloat64(countIf(${isFailed})) AS errors, ${lastStart} AS last
          FROM heddle.calls FINAL WHERE project_id IN ${bind('Array(String)', ids)} AND ${join(alive(now), sql` AND `)}
            AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', since)})
          GROUP BY project_id`,
      )
      const used = await analytical.of(scope).rows<{ project_id: string; usage_of_models: ModelUsageRow[] }>(
        sql`SELECT project_id, ${modelUsage} AS usage_of_models FROM heddle.usage FINAL
          WHERE project_id IN ${bind('Array(String)', ids)} AND ${notExpired(now)} AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', since)})
          GROUP BY project_id`,
      )
      const usage = new Map(used.map(({ project_id, usage_of_models }) => [project_id, usage_of_models.map(toModelUsage)]))
      const toActivity = ({ project_id, calls, errors, last }: ActivityRow) => ({
        calls,
        errors,
        lastStart: last,
        usage: usage.get(project_id) ?? [],
      })
      return new Map(rows.map((row) => [row.project_id, toActivity(row)]))
    },

    async lastStarts(projects) {
      const [scope] = projects
      if (!scope) return new Map()
      const ids = projects.map(({ id }) => id)
      const rows = await analytical.of(scope).rows<{ project_id: string; last: number }>(
        sql`SELECT project_id, ${lastStart} AS last FROM heddle.calls
          WHERE project_id IN ${bind('Array(String)', ids)} AND has_start = 1 AND is_deleted = 0 GROUP BY project_id`,
      )
      return new Map(rows.map(({ project_id, last }) => [project_id, last]))
    },
  }
}

const lastStart = sql`toFloat64(toUnixTimestamp64Micro(max(started_at)))`
