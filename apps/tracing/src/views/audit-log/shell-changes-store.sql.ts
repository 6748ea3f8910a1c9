import type { RelationalStore } from '@heddle/datastore'
import type { KeyInfo } from '@heddle/identity'
import { v7 as newUuid } from 'uuid'
import type { StoredEntry } from './audit-log-store.ts'

/** A change of a key by a command on the machine, outside the server. */
export type ShellChange = Omit<StoredEntry, 'id' | 'outcome' | 'key_id'>

/** Of entries that no key made: a command on the machine of the server did. */
const shellKeyId = 'shell'

/** Entries of the audit log for changes without a request. Webhooks do not receive them. */
export interface ShellChangesStore {
  /** Leaves an entry in every project that the key reaches, including named ones without any data. */
  note(key: Pick<KeyInfo, 'entity' | 'projects'>, change: ShellChange): Promise<void>
}

export function sqlShellChangesStore(database: RelationalStore): ShellChangesStore {
  return {
    async note({ entity, projects }, { at, ...entry }) {
      const row = { id: newUuid(), ...entry, outcome: 'succeeded' as const, key_id: shellKeyId, created_at: at }
      if (projects.length > 0) {
        const rows = projects.map(({ project_id }) => ({ project_id, ...row }))
        await database.insertInto('audit_entries').values(rows).execute()
        return
      }
      const columns = ['project_id', 'id', 'operation', 'details', 'outcome', 'user_id', 'key_id', 'created_at'] as const
      await database
        .insertInto('audit_entries')
        .columns(columns)
        .expression((query) =>
          query
            .selectFrom('projects')
            .select((select) => [
              'projects.id as project_id',
              ...columns
                .slice(1)
                .map((name) =>
                  select.cast<string>(select.val(row[name as keyof typeof row]), name === 'created_at' ? 'bigint' : 'text').as(name),
                ),
            ])
            .$if(entity !== '*', (some) => some.where('entity', '=', entity)),
        )
        .execute()
    },
  }
}
