import type { RelationalMigration } from '../relational-migration.ts'

/** Which checkpoints a user has marked as kept, and when. */
export const keptCheckpoints: RelationalMigration = {
  name: '0020-kept-checkpoints',
  async up(db) {
    await db.schema.alterTable('checkpoints').addColumn('kept_at', 'bigint').execute()
    await db.schema.alterTable('checkpoints').addColumn('kept_by', 'text').execute()
  },
}
