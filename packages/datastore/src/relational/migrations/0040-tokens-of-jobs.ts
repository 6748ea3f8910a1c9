import type { RelationalMigration } from '../relational-migration.ts'

/** Tokens that training jobs learned from. */
export const tokensOfJobs: RelationalMigration = {
  name: '0040-tokens-of-jobs',
  async up(db) {
    await db.schema.alterTable('training_jobs').addColumn('trainable_tokens', 'bigint').execute()
  },
}
