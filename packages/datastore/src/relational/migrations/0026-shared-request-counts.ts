import type { ColumnDefinitionBuilder } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** The requests that the servers of one store have counted for the limits of projects. */
export const sharedRequestCounts: RelationalMigration = {
  name: '0026-shared-request-counts',
  async up(db) {
    await db.schema
      .createTable('project_request_counts')
      .addColumn('rate', 'text', notNull)
      .addColumn('subject', 'text', notNull)
      .addColumn('requests', 'bigint', notNull)
      .addColumn('day', 'integer', notNull)
      .addPrimaryKeyConstraint('project_request_counts_pk', ['rate', 'subject'])
      .execute()
  },
}
