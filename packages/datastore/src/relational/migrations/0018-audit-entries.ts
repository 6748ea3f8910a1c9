import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Who changed keys, prices, retention and aliases, and who deleted what. */
export const auditEntries: RelationalMigration = {
  name: '0018-audit-entries',
  async up(db, kind) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('project_id', 'text', notNull)
      .addColumn('id', byteText(kind), notNull)
      .addColumn('operation', 'text', notNull)
      .addColumn('details', 'text', notNull)
      .addColumn('outcome', 'text', notNull)
      .addColumn('user_id', 'text', notNull)
      .addColumn('key_id', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('audit_entries_pk', ['project_id', 'id'])
      .execute()
  },
}
