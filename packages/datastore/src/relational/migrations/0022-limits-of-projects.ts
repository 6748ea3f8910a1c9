import type { ColumnDefinitionBuilder } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Limits of a project, null for those of the server, and the bytes that it has written per day, counted from 1970 in UTC. */
export const limitsOfProjects: RelationalMigration = {
  name: '0022-limits-of-projects',
  async up(db) {
    await db.schema
      .createTable('project_limits')
      .addColumn('project_id', 'text', (column) => column.primaryKey())
      .addColumn('requests_per_minute', 'integer')
      .addColumn('requests_per_minute_per_key', 'integer')
      .addColumn('ingested_bytes_per_day', 'bigint')
      .execute()
    await db.schema
      .createTable('project_ingested_bytes')
      .addColumn('project_id', 'text', notNull)
      .addColumn('day', 'integer', notNull)
      .addColumn('bytes', 'bigint', notNull)
      .addPrimaryKeyConstraint('project_ingested_bytes_pk', ['project_id', 'day'])
      .execute()
  },
}
