import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Models that clients train step by step, and the addresses of the weights that they saved. */
export const stepByStepTraining: RelationalMigration = {
  name: '0037-step-by-step-training',
  async up(db, kind) {
    await db.schema
      .createTable('tinker_runs')
      .addColumn('id', byteText(kind), (column) => column.primaryKey())
      .addColumn('project_id', byteText(kind), notNull)
      .addColumn('model_id', byteText(kind), notNull)
      .addColumn('rank', 'integer')
      .addColumn('user_metadata', 'text')
      .addColumn('created_by', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .execute()
    await db.schema.createIndex('tinker_runs_by_project').on('tinker_runs').columns(['project_id', 'created_at']).execute()
    await db.schema.createIndex('tinker_runs_by_model').on('tinker_runs').columns(['model_id']).execute()
    await db.schema
      .createTable('tinker_weights')
      .addColumn('id', byteText(kind), (column) => column.primaryKey())
      .addColumn('run_id', byteText(kind), notNull)
      .addColumn('kind', byteText(kind), notNull)
      .addColumn('name', byteText(kind), notNull)
      .addColumn('step', 'integer', notNull)
      .addColumn('state_files', 'text', notNull)
      .addColumn('user_metadata', 'text')
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('expires_at', 'bigint')
      .execute()
    await db.schema.createIndex('tinker_weights_by_address').unique().on('tinker_weights').columns(['run_id', 'kind', 'name']).execute()
    await db.schema.createIndex('tinker_weights_by_expiry').on('tinker_weights').columns(['expires_at']).execute()
  },
}
