import type { AuditEntry } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

export interface StoredEntry extends Omit<AuditEntry, 'created_at'> {
  at: Micros
}

/** Who asked for which change of a project. Its writes are not cancelled when the client leaves. */
export interface AuditLogStore {
  /** Takes away all but the newest 10,000 entries of the project with the first of a server, and with each hundredth after it. Webhooks are told of the entry also where its outcome is never noted. */
  insert(project: ProjectScope, entry: StoredEntry): Promise<void>
  /** Undefined for an id of no entry of the project. */
  find(project: ProjectScope, id: string): Promise<StoredEntry | undefined>
  /** Notes the outcome of an entry, and with it what webhooks are sent of the entry: both or neither. */
  setOutcome(project: ProjectScope, entry: StoredEntry): Promise<void>
  /** The newest first, from the one that was written before `after` on. Null: from the newest. */
  list(project: ProjectScope, page: { after: string | null; limit: number }): Promise<StoredEntry[]>
}
