import { setImmediate } from 'node:timers/promises'
import { inParts, type ScopedDatabase, type Tables } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { sql } from 'kysely'
import type { ProjectRecordsStore } from './project-records-store.ts'

/** Rows of one statement: it may block the thread. */
const rowsAtOnce = 500

/** Tables with rows of a project, and their keys. Rows that lead to others come after these. */
const tables = {
  annotation_progress: ['item_id', 'annotator_user_id'],
  annotation_items: ['id'],
  annotation_queues: ['id'],
  monitors: ['project_id', 'object_id'],
  object_tags: ['object_id', 'digest', 'tag'],
  object_aliases: ['object_id', 'alias'],
  object_alias_moves: ['object_id', 'number'],
  object_latest: ['object_id'],
  registry_aliases: ['portfolio_name', 'alias'],
  registry_links: ['portfolio_name', 'version_index'],
  registry_portfolios: ['portfolio_name'],
  costs: ['id'],
  webhooks: ['id'],
  shared_traces: ['hash'],
} as const satisfies Partial<Record<keyof Tables, readonly string[]>>

export function sqlProjectRecordsStore(database: ScopedDatabase): ProjectRecordsStore {
  async function removeSome(project: ProjectScope, table: string, key: readonly string[], isRemovable = sql`1 = 1`): Promise<number> {
    const columns = sql.join(key.map((column) => sql.ref(column)))
    const own = sql`project_id = ${project.id} AND ${isRemovable}`
    const some = sql`SELECT ${columns} FROM ${sql.table(table)} WHERE ${own} LIMIT ${rowsAtOnce}`
    const { numAffectedRows = 0n } = await sql`DELETE FROM ${sql.table(table)} WHERE ${own} AND (${columns}) IN (${some})`.execute(
      database.of(project),
    )
    return Number(numAffectedRows)
  }

  async function removeRows(...given: Parameters<typeof removeSome>): Promise<void> {
    while ((await removeSome(...given)) > 0) await setImmediate()
  }

  return {
    async removeLinks(project, traceIds) {
      for (const some of inParts(traceIds)) {
        await database.of(project).deleteFrom('shared_traces').where('project_id', '=', project.id).where('trace_id', 'in', some).execute()
      }
    },

    async removeAll(project) {
      for (const [table, key] of Object.entries(tables)) await removeRows(project, table, key)
      // Versions whose values are gone; those that were published meanwhile stay.
      await removeRows(
        project,
        'object_versions',
        ['object_id', 'kind', 'digest'],
        sql`deleted_at IS NOT NULL AND value_gone_at IS NOT NULL`,
      )
    },
  }
}
