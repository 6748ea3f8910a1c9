import { bind, join, type ScopedAnalytical, type Sql, sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import { hidesNoCall, notHidden } from '../../query/visible-records.ts'
import { isFailed } from '../../query/call-conditions.ts'
import { alive } from '../../query/calls-query.ts'
import { notExpired } from '../../query/derived-conditions.ts'
import { type ModelUsage, toModelUsage, usageByKey, type UsageOfKey } from '../../query/model-usage.ts'
import { noSplits, type PriceSplits } from '../../query/price-splits.ts'
import type { ActivityRange, ProjectActivityStore } from './project-activity-store.ts'

interface ActivityRow {
  project_id: string
  calls: number
  errors: number
  last: number
}

export function sqlProjectActivityStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): ProjectActivityStore {
  /** Ids of traces and calls are meaningful only in their own project. */
  async function notDeleted(projects: readonly ProjectScope[], callId: Sql): Promise<Sql[]> {
    const hidden = [...(await visibility.hiddenIn(projects))].filter(([, calls]) => !hidesNoCall(calls))
    return hidden.map(([id, calls]) => sql`(project_id != ${bind('String', id)} OR (${join(notHidden(id, calls, callId), sql` AND `)}))`)
  }

  async function usageSince(projects: readonly ProjectScope[], { since, now }: ActivityRange, splits: PriceSplits) {
    const [scope] = projects
    if (!scope) return new Map<string, ModelUsage[]>()
    const ids = projects.map(({ id }) => id)
    const seen = join([notExpired(now), ...(await notDeleted(projects, sql`call_id`))], sql` AND `)
    const rows = sql`FROM heddle.usage FINAL
      WHERE project_id IN ${bind('Array(String)', ids)} AND ${seen} AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', since)})`
    const used = await analytical.of(scope).rows<UsageOfKey>(usageByKey({ key: sql`toString(project_id)`, rows, splits }))
    return new Map(used.map(({ key_of_usage, usage_of_models }) => [key_of_usage, usage_of_models.map(toModelUsage)]))
  }

  return {
    usage: usageSince,

    async activity(projects, { since, now }) {
      const [scope] = projects
      if (!scope) return new Map()
      const ids = projects.map(({ id }) => id)
      const rows = await analytical.of(scope).rows<ActivityRow>(
        sql`SELECT project_id, toFloat64(count()) AS calls, toFloat64(countIf(${isFailed})) AS errors, ${lastStart} AS last
          FROM heddle.calls FINAL WHERE project_id IN ${bind('Array(String)', ids)} AND ${join([...alive(now), ...(await notDeleted(projects, sql`id`))], sql` AND `)}
            AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', since)})
          GROUP BY project_id`,
      )
      const usage = await usageSince(projects, { since, now }, noSplits)
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
          WHERE project_id IN ${bind('Array(String)', ids)} AND ${join([sql`has_start = 1`, sql`is_deleted = 0`, ...(await notDeleted(projects, sql`id`))], sql` AND `)} GROUP BY project_id`,
      )
      return new Map(rows.map(({ project_id, last }) => [project_id, last]))
    },
  }
}

const lastStart = sql`toFloat64(toUnixTimestamp64Micro(max(started_at)))`
