import { bind, deletedCallsTable, type DeletingAnalytical, inParts, rowEncoder, sql, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { timeSlices } from '@heddle/service-kit'
import { listedIds } from '../../../query/visible-records.ts'
import type { FeedbackRemovalStore, ListedFeedback } from './feedback-removal-store.ts'

/** Ids that are listed by one write. */
const listedAtOnce = 20_000

export function sqlFeedbackRemovalStore(analytical: DeletingAnalytical): FeedbackRemovalStore {
  return {
    async list(project, deletion_id, ids) {
      const version = BigInt(Date.now()) * 1_000n
      const pace = timeSlices.begin()
      for (const some of inParts(ids, listedAtOnce)) {
        const encoder = rowEncoder(deletedCallsTable)
        for (const call_id of some) {
          const turn = pace()
          if (turn) await turn
          encoder.add({ project_id: project.id, deletion_id, call_id, trace_id: '', version })
        }
        await analytical.insert(deletedCallsTable, encoder.finish())
      }
    },

    async unlist(project, deletionId) {
      const own = sql`project_id = ${bind('String', project.id)} AND deletion_id = ${bind('String', deletionId)}`
      await analytical.deleteRows(deletedCallsTable, own)
    },

    async measure(project, deletionId) {
      const [found] = await analytical
        .of(project)
        .rows<ListedFeedback>(
          sql`SELECT toFloat64(count()) AS count, toFloat64(max(version)) AS last_version ${listedFeedback(project, deletionId)}`,
          { isConsistent: true },
        )
      return found ?? { count: 0, last_version: 0 }
    },

    async remaining(project, { id, last_version }, limit) {
      const rows = await analytical
        .of(project)
        .rows<{ id: string }>(
          sql`SELECT DISTINCT id ${listedFeedback(project, id)} AND version <= ${bind('UInt64', last_version)} LIMIT ${bind('UInt64', limit)}`,
          { isConsistent: true },
        )
      return rows.map((row) => row.id)
    },
  }
}

function listedFeedback(project: ProjectScope, deletionId: string): Sql {
  return sql`FROM heddle.feedback FINAL WHERE project_id = ${bind('String', project.id)} AND id IN (${listedIds(project.id, [deletionId])})`
}
