import type { AuditEntry } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

export interface StoredEntry extends Omit<AuditEntry, 'created_at'> {
  at: Micros
}

/** Who requested which change of a project. Its writes are not cancelled when the client leaves. */
export interface AuditLogStore {
  /**
   * Removes all but the newest 10,000 entries of the project at a server's first entry, and at each hundredth after it. Webhooks receive the entry
   * even if its outcome is never recorded.
   */
  insert(project: ProjectScope, entry: StoredEntry): Promise<void>
  /** Undefined for an id of no entry of the project. */
  find(project: ProjectScope, id: string): Promise<StoredEntry | undefined>
  /** Records the outcome of an entry, together with its webhook messages: both or neither. */
  setOutcome(project: ProjectScope, entry: StoredEntry): Promise<void>
  /** The newest first, starting with the entry written before `after`. Null: from the newest. */
  list(project: ProjectScope, page: { after: string | null; limit: number }): Promise<StoredEntry[]>
}
