import type { RelationalMigration } from '../relational-migration.ts'

/** Sums of the metrics logged at a checkpoint so far, so that a log in several parts has the metrics of the whole. */
export const sumsOfLoggedMetrics: RelationalMigration = {
  name: '0028-sums-of-logged-metrics',
  async up(db) {
    await db.schema
      .alterTable('checkpoints')
      .addColumn('logged_sums', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
  },
}
