import type { Database, RelationalStore } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { EventOutbox } from '../../events/event-outbox.ts'
import { auditEvent, expectedEvent } from './audit-event.ts'
import type { AuditLogStore, StoredEntry } from './audit-log-store.ts'

/** Newest entries of a project that are always kept. */
const maxEntries = 10_000

/** Entries of a project between checks for excess ones: a check reads as many entries as are kept. */
const entriesBetweenTrims = 100
/** Projects whose entries are counted. */
const maxCounted = 1_000

const columns = ['id', 'operation', 'details', 'outcome', 'user_id', 'key_id', 'created_at as at'] as const

export function sqlAuditLogStore(database: RelationalStore, outbox: Pick<EventOutbox, 'mayWant' | 'append' | 'expect'>): AuditLogStore {
  /** Entries that this server has written since the last trim. A project without a count is trimmed at its next entry. */
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
    async insert(project, entry) {
      if (outbox.mayWant(project.id, 'audit.entry'))
        await database.transaction().execute(async (transaction) => {
          await insertEntry(transaction, project.id, entry)
          await outbox.expect(transaction, [expectedEvent(project.id, entry)])
        })
      else await insertEntry(database, project.id, entry)
      if (isToTrim(project)) await trim(project)
    },

    async setOutcome({ id: projectId }, entry) {
      if (!outbox.mayWant(projectId, 'audit.entry')) return updateOutcome(database, projectId, entry)
      await database.transaction().execute(async (transaction) => {
        await updateOutcome(transaction, projectId, entry)
        await outbox.append(transaction, auditEvent(projectId, entry))
      })
    },

    async find(project, id) {
      const entries = database.of(project).selectFrom('audit_entries').select(columns)
      return entries.where('project_id', '=', project.id).where('id', '=', id).executeTakeFirst()
    },

    async list(project, { after, limit }) {
      const entries = database
        .of(project)
        .selectFrom('audit_entries')
        .select(columns)
        .where('project_id', '=', project.id)
        .orderBy('id', 'desc')
        .limit(limit)
      return (after === null ? entries : entries.where('id', '<', after)).execute()
    },
  }
}

async function insertEntry(database: Database, project_id: string, { at: created_at, ...entry }: StoredEntry): Promise<void> {
  await database
    .insertInto('audit_entries')
    .values({ project_id, created_at, ...entry })
    .execute()
}

async function updateOutcome(database: Database, projectId: string, { id, outcome }: StoredEntry): Promise<void> {
  await database.updateTable('audit_entries').set({ outcome }).where('project_id', '=', projectId).where('id', '=', id).execute()
}
