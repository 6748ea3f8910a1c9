import { refScheme } from '@heddle/core-api/internal'
import { bind, type ScopedAnalytical, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { listedIds } from '../../query/visible-records.ts'
import { digestsIn } from '../../query/digests-in.ts'
import { longStatement } from './listed-calls-store.sql.ts'
import type { SelectedFeedbackStore, FeedbackOfDeletion } from './selected-feedback-store.ts'

export function sqlSelectedFeedbackStore(analytical: ScopedAnalytical): SelectedFeedbackStore {
  return {
    async count(project, selected) {
      const statement = sql`SELECT toFloat64(count()) AS count ${feedbackOf(project, selected)}`
      const [row] = await analytical.of(project).rows<{ count: number }>(statement, longStatement)
      return row?.count ?? 0
    },

    async ids(project, selected, limit) {
      const statement = sql`SELECT DISTINCT id ${feedbackOf(project, selected)} LIMIT ${bind('UInt64', limit)}`
      return (await analytical.of(project).rows<{ id: string }>(statement, longStatement)).map(({ id }) => id)
    },

    async *named(project, selected) {
      const statement = sql`SELECT DISTINCT ${digestsIn(sql`payload`)} AS name ${feedbackOf(project, selected)}`
      for await (const block of analytical.of(project).blocks<{ name: string }>(statement, longStatement))
        yield block.map(({ name }) => name)
    },
  }
}

function feedbackOf(project: ProjectScope, { deletionId, selection }: FeedbackOfDeletion): Sql {
  const all = sql`FROM heddle.feedback FINAL WHERE project_id = ${bind('String', project.id)}`
  if (selection.kind === 'project') return all
  const prefix = bind('String', `${refScheme}${project.id}/call/`)
  const onCalls = sql`weave_ref IN (SELECT concat(${prefix}, call_id) FROM (${listedIds(project.id, [deletionId])}))`
  if (selection.kind === 'calls') return sql`${all} AND ${onCalls}`
  const user = bind('String', selection.user_id)
  return sql`${all} AND (wb_user_id = ${user} OR creator = ${user} OR ${onCalls})`
}
