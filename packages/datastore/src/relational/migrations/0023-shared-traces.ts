import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Public links to traces. */
export const sharedTraces: RelationalMigration = {
  name: '0023-shared-traces',
  async up(db, kind) {
    await db.schema
      .createTable('shared_traces')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', notNull)
      .addColumn('id', byteText(kind), notNull)
      .addColumn('trace_id', 'text', notNull)
      .addColumn('created_by', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('expires_at', 'bigint', notNull)
      .execute()
    await db.schema.createIndex('shared_traces_by_project').unique().on('shared_traces').columns(['project_id', 'id']).execute()
    await db.schema.createIndex('shared_traces_by_expiry').on('shared_traces').column('expires_at').execute()
  },
}
