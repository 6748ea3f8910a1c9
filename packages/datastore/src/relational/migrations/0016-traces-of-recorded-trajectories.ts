import type { RelationalMigration } from '../relational-migration.ts'

/** A trace finds the trajectories that were recorded of it. */
export const tracesOfRecordedTrajectories: RelationalMigration = {
  name: '0016-traces-of-recorded-trajectories',
  async up(db) {
    await db.schema
      .createIndex('recorded_trajectories_by_trace')
      .on('recorded_trajectories')
      .columns(['model_id', 'trace_id', 'number'])
      .execute()
  },
}
