import { bind, join, type ScopedAnalytical, sql } from '@heddle/datastore'
import { isFailed, isUsageRoot } from '../../query/call-conditions.ts'
import { alive } from '../../query/calls-query.ts'
import type { ProjectActivityStore } from './project-activity-store.ts'

interface ActivityRow {
  project_id: string
  calls: number
  errors: number
  last: number
  usage: [model: string, uses: number, input: number, output: number, cacheRead: number, cacheCreation: number][]
}

export function sqlProjectActivityStore(analytical: ScopedAnalytical): ProjectActivityStore {
  return {
    async activity(projects, { since, now }) {
      const [scope] = projects
      if (!scope) return new Map()
      const ids = projects.map(({ id }) => id)
      const sums = sql`sumMapIf(usage.model, arrayMap(model -> toFloat64(1), usage.model), ${floats('input_tokens')}, ${floats('output_tokens')},
        ${floats('cache_read_input_tokens')}, ${floats('cache_creation_input_tokens')}, ${isUsageRoot})`
      const rows = await analytical.of(scope).rows<ActivityRow>(
        sql`SELECT project_id, calls, errors, last, arrayZip(sums.1, sums.2, sums.3, sums.4, sums.5, sums.6) AS usage FROM (
            SELECT project_id, toFloat64(count()) AS calls, toFloat64(countIf(${isFailed})) AS errors, ${lastStart} AS last, ${sums} AS sums
            FROM heddle.calls FINAL WHERE project_id IN ${bind('Array(String)', ids)} AND ${join(alive(now), sql` AND `)}
              AND started_at >= fromUnixTimestamp64Micro(${bind('Int64', since)})
            GROUP BY project_id)`,
      )
      return new Map(
        rows.map(({ project_id, last: lastStart, usage, ...counts }) => [
          project_id,
          { ...counts, lastStart, usage: usage.map(toModelUsage) },
        ]),
      )
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
const floats = (column: string) => sql`arrayMap(tokens -> toFloat64(tokens), usage.${bind('Identifier', column)})`

function toModelUsage([model, uses, input, output, cacheRead, cacheCreation]: ActivityRow['usage'][number]) {
  return {
    model,
    uses,
    prompt_tokens: input,
    completion_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheCreation,
  }
}
