import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Uploaded files to learn from, a blob for each. */
export const trainingFiles: RelationalMigration = {
  name: '0035-training-files',
  async up(db, kind) {
    await db.schema
      .createTable('training_files')
      .addColumn('number', kind === 'sqlite' ? 'integer' : 'bigint', (column) =>
        kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
      )
      .addColumn('id', byteText(kind), (column) => column.notNull().unique())
      .addColumn('project_id', byteText(kind), notNull)
      .addColumn('filename', 'text', notNull)
      .addColumn('sha256', byteText(kind), notNull)
      .addColumn('size_bytes', 'bigint', notNull)
      .addColumn('kind', 'text', notNull)
      .addColumn('examples', 'integer', notNull)
      .addColumn('error', 'text')
      .addColumn('created_by', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .execute()
    await db.schema.createIndex('training_files_by_project').on('training_files').columns(['project_id', 'number']).execute()
  },
}
