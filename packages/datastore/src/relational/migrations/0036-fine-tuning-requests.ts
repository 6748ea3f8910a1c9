import type { RelationalMigration } from '../relational-migration.ts'

/** The requests of clients of OpenAI that created jobs. */
export const fineTuningRequests: RelationalMigration = {
  name: '0036-fine-tuning-requests',
  async up(db) {
    await db.schema.alterTable('training_jobs').addColumn('fine_tuning_request', 'text').execute()
  },
}
