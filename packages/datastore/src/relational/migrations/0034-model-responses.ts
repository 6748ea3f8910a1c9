import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Responses of models that are kept with their conversations, a blob for each. */
export const modelResponses: RelationalMigration = {
  name: '0034-model-responses',
  async up(db, kind) {
    await db.schema
      .createTable('model_responses')
      .addColumn('id', byteText(kind), (column) => column.primaryKey())
      .addColumn('project_id', byteText(kind), notNull)
      .addColumn('model_id', byteText(kind), notNull)
      .addColumn('user_id', byteText(kind), notNull)
      .addColumn('sha256', byteText(kind), notNull)
      .addColumn('size_bytes', 'bigint', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .execute()
    await db.schema.createIndex('model_responses_by_owner').on('model_responses').columns(['model_id', 'user_id', 'created_at']).execute()
    await db.schema.createIndex('model_responses_by_age').on('model_responses').columns(['created_at']).execute()
  },
}
