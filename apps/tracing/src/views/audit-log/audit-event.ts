import { formatTimestamp } from '@heddle/core-api'
import type { AuditEntry } from '@heddle/core-api/types'
import type { ExpectedEvent, ProjectEvent } from '../../events/event-outbox.ts'
import type { FindEvent } from '../webhooks/check-event.ts'
import type { AuditLogStore, StoredEntry } from './audit-log-store.ts'

/** What webhooks are sent of an entry with its outcome: as it is listed, and its project. */
export function auditEvent(project_id: string, { at, ...entry }: StoredEntry): ProjectEvent {
  const data: AuditEntry & { project_id: string } = { project_id, ...entry, created_at: formatTimestamp(at) }
  return { ...expectedEvent(project_id, entry), data }
}

export const expectedEvent = (projectId: string, { id }: Pick<StoredEntry, 'id'>): ExpectedEvent => ({
  projectId,
  type: 'audit.entry',
  subject: id,
})

/** The webhook event of an entry whose outcome was not recorded: a second event follows if it is recorded after all. Undefined if it was recorded. */
export const findInterruptedEntry =
  ({ auditLog }: { auditLog: Pick<AuditLogStore, 'find'> }): FindEvent =>
  async (project, id) => {
    const entry = await auditLog.find(project, id)
    if (entry?.outcome !== 'started') return undefined
    return { ...auditEvent(project.id, entry), subject: `${id}/started` }
  }
