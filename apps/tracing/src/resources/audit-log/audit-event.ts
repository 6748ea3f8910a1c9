import { type AuditEntry, formatTimestamp } from '@heddle/core-api'
import type { ProjectEvent } from '../../events/event-outbox.ts'
import type { StoredEntry } from './audit-log-store.ts'

/** What webhooks are sent of an entry: as it is listed, and its project. */
export function auditEvent(project_id: string, { at, ...entry }: StoredEntry): ProjectEvent {
  const data: AuditEntry & { project_id: string } = { project_id, ...entry, created_at: formatTimestamp(at) }
  return { projectId: project_id, type: 'audit.entry', subject: entry.id, data }
}
