import type { ColumnDefinitionBuilder } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Token prices, and the retention of calls. */
export const costsAndRetention: RelationalMigration = {
  name: '0002-costs-and-retention',
  async up(db) {
    await db.schema
      .createTable('costs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'text', notNull)
      .addColumn('llm_id', 'text', notNull)
      .addColumn('provider_id', 'text', notNull)
      .addColumn('effective_date', 'bigint', notNull)
      .addColumn('prompt_token_cost', 'double precision', notNull)
      .addColumn('completion_token_cost', 'double precision', notNull)
      .addColumn('cache_read_input_token_cost', 'double precision', notNull)
      .addColumn('cache_creation_input_token_cost', 'double precision', notNull)
      .addColumn('prompt_token_cost_unit', 'text', notNull)
      .addColumn('completion_token_cost_unit', 'text', notNull)
      .addColumn('created_by', 'text', notNull)
      .addColumn('created_at', 'bigint', notNull)
      .execute()
    await db.schema.createIndex('costs_by_model').on('costs').columns(['project_id', 'llm_id']).execute()
    await db.schema
      .createTable('project_retention')
      .addColumn('project_id', 'text', (column) => column.primaryKey())
      .addColumn('retention_days', 'integer', notNull)
      .execute()
  },
}
