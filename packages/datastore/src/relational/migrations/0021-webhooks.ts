import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** URLs to which events of a project are sent. */
export const webhooks: RelationalMigration = {
  name: '0021-webhooks',
  async up(db, kind) {
    await db.schema
      .createTable('webhooks')
      .addColumn('project_id', 'text', notNull)
      .addColumn('id', byteText(kind), notNull)
      .addColumn('name', 'text', notNull)
      .addColumn('url', 'text', notNull)
      .addColumn('events', 'text', notNull)
      .addColumn('secret', 'text', notNull)
      .addColumn('created_by', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('last_attempt', 'text')
      .addColumn('failing_since', 'bigint')
      .addColumn('disabled_at', 'bigint')
      .addPrimaryKeyConstraint('webhooks_pk', ['project_id', 'id'])
      .execute()
  },
}
