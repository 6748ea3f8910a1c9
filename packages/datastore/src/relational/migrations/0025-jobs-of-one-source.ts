import { sql } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

/** Several jobs of a model may learn from one source: with other settings, or repeatedly. */
export const jobsOfOneSource: RelationalMigration = {
  name: '0025-jobs-of-one-source',
  async up(db) {
    await db.schema.dropIndex('training_jobs_by_source').execute()
    await db.schema
      .createIndex('training_jobs_of_source')
      .on('training_jobs')
      .columns(['model_id', 'source', 'number'])
      .where(sql.ref('source'), 'is not', null)
      .execute()
  },
}
