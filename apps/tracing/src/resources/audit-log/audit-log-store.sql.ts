import type { RelationalStore } from '@heddle/datastore'
import type { AuditLogStore } from './audit-log-store.ts'

/** Newest entries of a project that are kept. */
const maxEntries = 10_000

export function sqlAuditLogStore(database: RelationalStore): AuditLogStore {
  return {
    async insert(project, { at: created_at, ...entry }) {
      await database
        .insertInto('audit_entries')
        .values({ project_id: project.id, created_at, ...entry })
        .execute()
      const newestTooMany = database
        .selectFrom('audit_entries')
        .select('id')
        .where('project_id', '=', project.id)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(maxEntries)
      await database.deleteFrom('audit_entries').where('project_id', '=', project.id).where('id', '<=', newestTooMany).execute()
    },

    async setOutcome(project, id, outcome) {
      await database.updateTable('audit_entries').set({ outcome }).where('project_id', '=', project.id).where('id', '=', id).execute()
    },

    async list(project, { after, limit }) {
      const entries = database
        .of(project)
        .selectFrom('audit_entries')
        .select(['id', 'operation', 'details', 'outcome', 'user_id', 'key_id', 'created_at as at'])
        .where('project_id', '=', project.id)
        .orderBy('id', 'desc')
        .limit(limit)
      return (after === null ? entries : entries.where('id', '<', after)).execute()
    },
  }
}
