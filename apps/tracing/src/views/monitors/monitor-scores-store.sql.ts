import { serverScorerClasses } from '@heddle/core-api/internal'
import { bind, join, type ScopedAnalytical, type Sql, sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../deletions/visibility.ts'
import { seen } from '../../query/calls-query.ts'
import { derivedOf } from '../../query/derived-conditions.ts'
import { toModelUsage, usageByKey, type UsageOfKey } from '../../query/model-usage.ts'
import type { MonitorScores, MonitorScoresStore } from './monitor-scores-store.ts'

const monitor = sql`JSONExtractString(attributes, 'weave', 'monitor')`
const scoreOps = serverScorerClasses.map((name) => `${name}.score`)
/** Scores are found by the names of their ops, which have a separate column, and then by their attributes. */
export function sqlMonitorScoresStore(analytical: ScopedAnalytical, visibility: ProjectVisibility): MonitorScoresStore {
  async function scoresOf(project: ProjectScope, names: readonly string[]): Promise<Sql> {
    const { id } = project
    const ofScorers = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', id)} AND op_short_name IN ${bind('Array(String)', scoreOps)}`
    const conditions = [
      ...seen(id, await visibility.of(project)),
      sql`(started_at, id) IN (${ofScorers})`,
      sql`JSONExtractString(attributes, 'weave', 'score') = 'true'`,
      sql`${monitor} IN ${bind('Array(String)', names)}`,
    ]
    return join(conditions, sql` AND `)
  }

  return {
    async countScores(project, names) {
      if (names.length === 0) return new Map()
      const rows = await analytical.of(project).rows<MonitorScores & { monitor: string }>(
        sql`SELECT ${monitor} AS monitor, toFloat64(countIf(ifNull(exception, '') = '')) AS scored, toFloat64(countIf(ifNull(exception, '') != '')) AS failed
          FROM heddle.calls FINAL WHERE ${await scoresOf(project, names)} GROUP BY monitor`,
      )
      return new Map(rows.map(({ monitor: name, scored, failed }) => [name, { scored, failed }]))
    },

    async readUsage(project, names, splits) {
      if (names.length === 0) return []
      // A score is in its own trace, with the requests of its judge.
      const traces = sql`SELECT DISTINCT trace_id AS score_trace, ${monitor} AS monitor FROM heddle.calls FINAL WHERE ${await scoresOf(project, names)}`
      const own = derivedOf({ projectId: project.id, visibility: await visibility.of(project), callId: sql`call_id` })
      const rows = sql`FROM (SELECT * FROM heddle.usage FINAL WHERE ${join(own, sql` AND `)} AND trace_id IN (SELECT score_trace FROM (${traces}))) AS used
        INNER JOIN (${traces}) AS score ON used.trace_id = score.score_trace`
      const used = await analytical.of(project).rows<UsageOfKey>(usageByKey({ key: sql`score.monitor`, rows, splits }))
      return used.flatMap(({ key_of_usage, usage_of_models }) =>
        usage_of_models.map((row) => ({ monitor: key_of_usage, ...toModelUsage(row) })),
      )
    },
  }
}
