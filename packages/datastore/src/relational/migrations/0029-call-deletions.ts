import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Deletions of many calls, which are hidden immediately and removed later. */
export const callDeletions: RelationalMigration = {
  name: '0029-call-deletions',
  async up(db, kind) {
    await db.schema
      .createTable('call_deletions')
      .addColumn('id', byteText(kind), (column) => column.primaryKey())
      .addColumn('project_id', 'text', notNull)
      .addColumn('whole_traces', 'text', notNull)
      .addColumn('part_traces', 'text', notNull)
      .addColumn('calls', 'bigint', notNull)
      .addColumn('removed', 'bigint', notNull)
      .addColumn('deleted_at', 'bigint', notNull)
      .addColumn('ended_at', 'bigint')
      .execute()
    await db.schema.createIndex('call_deletions_by_project').on('call_deletions').columns(['project_id', 'ended_at']).execute()
  },
}
