import type { RelationalStore } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { AuditLogStore } from './audit-log-store.ts'

/** Newest entries of a project that are always kept. */
const maxEntries = 10_000

/** Entries of a project after which too many are looked for again: to find them reads as many as are kept. */
const entriesBetweenTrims = 100
/** Projects whose entries are counted. */
const maxCounted = 1_000

export function sqlAuditLogStore(database: RelationalStore): AuditLogStore {
  /** Entries that this server has written since the last trim. A project that is not counted is trimmed at its next entry. */
  const untrimmed = new Map<string, number>()

  function isToTrim(project: ProjectScope): boolean {
    const written = untrimmed.get(project.id)
    const isDue = written === undefined || written + 1 >= entriesBetweenTrims
    if (untrimmed.size >= maxCounted && written === undefined) untrimmed.clear()
    untrimmed.set(project.id, isDue ? 0 : written + 1)
    return isDue
  }

  async function trim(project: ProjectScope): Promise<void> {
    const newestTooMany = database
      .selectFrom('audit_entries')
      .select('id')
      .where('project_id', '=', project.id)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(maxEntries)
    await database.deleteFrom('audit_entries').where('project_id', '=', project.id).where('id', '<=', newestTooMany).execute()
  }

  return {
    async insert(project, { at: created_at, ...entry }) {
      await database
        .insertInto('audit_entries')
        .values({ project_id: project.id, created_at, ...entry })
        .execute()
      if (isToTrim(project)) await trim(project)
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
