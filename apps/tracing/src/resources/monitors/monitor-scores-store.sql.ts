import { serverScorerClasses } from '@heddle/core-api/internal'
import { bind, join, type Micros, type ScopedAnalytical, type Sql, sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { seen } from '../../query/calls-query.ts'
import type { MonitorScores, MonitorScoresStore, MonitorUsage } from './monitor-scores-store.ts'

const monitor = sql`JSONExtractString(attributes, 'weave', 'monitor')`
const scoreOps = serverScorerClasses.map((name) => `${name}.score`)
const counts = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']

/** Sums have names of their own, since the engine takes a name for the sum where it is one. */
interface UsageRow extends Omit<MonitorUsage, 'tokens'> {
  prompt: number
  completion: number
  cache_read: number
  cache_creation: number
}

/** Scores are found by the names of their ops, which are in a column of their own, and then by their attributes. */
export function sqlMonitorScoresStore(analytical: ScopedAnalytical, clock: () => Micros): MonitorScoresStore {
  function scoresOf({ id }: ProjectScope, names: readonly string[]): Sql {
    const ofScorers = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', id)} AND op_short_name IN ${bind('Array(String)', scoreOps)}`
    const conditions = [
      ...seen({ project_id: id, now: clock() }),
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
          FROM heddle.calls FINAL WHERE ${scoresOf(project, names)} GROUP BY monitor`,
      )
      return new Map(rows.map(({ monitor: name, scored, failed }) => [name, { scored, failed }]))
    },

    async readUsage(project, names) {
      if (names.length === 0) return []
      const columns = counts.map((name) => sql`, usage.${bind('Identifier', name)} AS ${bind('Identifier', name)}`)
      const rows = await analytical.of(project).rows<UsageRow>(
        sql`SELECT ${monitor} AS monitor, model, toFloat64(toUnixTimestamp64Micro(min(started_at))) AS since,
          toFloat64(sum(input_tokens)) AS prompt, toFloat64(sum(output_tokens)) AS completion,
          toFloat64(sum(cache_read_input_tokens)) AS cache_read, toFloat64(sum(cache_creation_input_tokens)) AS cache_creation
          FROM heddle.calls FINAL ARRAY JOIN usage.model AS model${join(columns, sql``)}
          WHERE ${scoresOf(project, names)} GROUP BY monitor, model, toStartOfDay(started_at)`,
      )
      return rows.map(({ prompt, completion, cache_read, cache_creation, ...usage }) => ({
        ...usage,
        tokens: {
          prompt_tokens: prompt,
          completion_tokens: completion,
          cache_read_input_tokens: cache_read,
          cache_creation_input_tokens: cache_creation,
        },
      }))
    },
  }
}
