import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import type { TracingContext } from '../../context.ts'
import type { AuditLogStore } from './audit-log-store.ts'

/** The audit log of a project, for its administrators. */
export function auditLogHandlers({ auditLog }: { auditLog: AuditLogStore }): Handlers<(typeof tracing)['auditLog'], TracingContext> {
  return {
    async query({ project_id, after, limit }, context) {
      const project = await context.open(project_id)
      const found = await auditLog.list(project, { after, limit: limit + 1 })
      const entries = found.slice(0, limit).map(({ at, ...entry }) => ({ ...entry, created_at: formatTimestamp(at) }))
      return { entries, has_more: found.length > limit }
    },
  }
}
