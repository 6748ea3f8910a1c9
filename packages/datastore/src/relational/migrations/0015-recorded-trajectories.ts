import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Trajectories that the server records from chat completions, a blob for each of their calls. */
export const recordedTrajectories: RelationalMigration = {
  name: '0015-recorded-trajectories',
  async up(db, kind) {
    await db.schema
      .createTable('recorded_trajectories')
      .addColumn('number', kind === 'sqlite' ? 'integer' : 'bigint', (column) =>
        kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
      )
      .addColumn('project_id', byteText(kind), notNull)
      .addColumn('model_id', byteText(kind), notNull)
      .addColumn('id', byteText(kind), notNull)
      .addColumn('group_id', byteText(kind), notNull)
      .addColumn('rollout_id', byteText(kind))
      .addColumn('trace_id', 'text')
      .addColumn('status', 'text', notNull)
      .addColumn('calls', 'integer', notNull)
      .addColumn('bytes', 'bigint', notNull)
      .addColumn('outcome', 'text')
      .addColumn('created_at', 'bigint', notNull)
      .addColumn('touched_at', 'bigint', notNull)
      .addColumn('finished_at', 'bigint')
      .addUniqueConstraint('recorded_trajectories_by_id', ['model_id', 'id'])
      .execute()
    await db.schema
      .createIndex('recorded_trajectories_by_group')
      .on('recorded_trajectories')
      .columns(['model_id', 'group_id', 'number'])
      .execute()
    await db.schema.createIndex('recorded_trajectories_by_age').on('recorded_trajectories').columns(['touched_at']).execute()
    await db.schema
      .createTable('recorded_calls')
      .addColumn('model_id', byteText(kind), notNull)
      .addColumn('trajectory_id', byteText(kind), notNull)
      .addColumn('seq', 'integer', notNull)
      .addColumn('key', byteText(kind))
      .addColumn('is_replaced', 'integer', notNull)
      .addColumn('base_seq', 'integer')
      .addColumn('digest', byteText(kind), notNull)
      .addColumn('sha256', byteText(kind), notNull)
      .addColumn('started_at', 'bigint', notNull)
      .addPrimaryKeyConstraint('recorded_calls_pk', ['model_id', 'trajectory_id', 'seq'])
      .execute()
  },
}
