import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()
const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

async function createMonitors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('monitors')
    .addColumn('project_id', 'text', notNull)
    .addColumn('object_id', 'text', notNull)
    .addColumn('activated_at', 'bigint')
    .addColumn('watermark', 'text')
    .addColumn('swept_at', 'bigint', notNull)
    .addColumn('sampled', 'bigint', zero)
    .addColumn('skipped', 'bigint', zero)
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('monitors_pk', ['project_id', 'object_id'])
    .execute()
}

/** The progress of each monitor. The index finds the monitors of all projects without reading the other objects. */
export const monitors: RelationalMigration = {
  name: '0011-monitors',
  async up(db) {
    await createMonitors(db)
    await sql`CREATE INDEX object_versions_of_monitors ON object_versions (project_id, object_id) WHERE leaf_object_class IN ('Monitor', 'ClassifierMonitor')`.execute(
      db,
    )
  },
}
