import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

async function createJobs(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('number', kind === 'sqlite' ? 'integer' : 'bigint', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
    )
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('queue', 'text', notNull)
    .addColumn('project_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('serial_key', 'text')
    .addColumn('idempotency_key', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('payload', 'text', notNull)
    .addColumn('run_after', 'bigint')
    .addColumn('attempt', 'integer', notNull)
    .addColumn('max_attempts', 'integer', notNull)
    .addColumn('lease_token', 'bigint', notNull)
    .addColumn('lease_heartbeat', 'bigint', notNull)
    .addColumn('lease_owner', 'text')
    .addColumn('cancel_requested_at', 'bigint')
    .addColumn('progress', 'text')
    .addColumn('saved_state', 'text')
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute()
}

async function indexJobs(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, columns: string[]) => db.schema.createIndex(name).on('jobs').columns(columns)
  await index('jobs_by_state_of_project', ['queue', 'project_id', 'state', 'number']).execute()
  await index('jobs_by_project', ['queue', 'project_id', 'number']).execute()
  await index('jobs_by_state', ['queue', 'state', 'number']).execute()
  await index('jobs_by_idempotency_key', ['queue', 'project_id', 'idempotency_key'])
    .unique()
    .where(sql.ref('idempotency_key'), 'is not', null)
    .execute()
  await index('jobs_by_serial_key', ['queue', 'project_id', 'serial_key', 'state', 'number'])
    .where(sql.ref('serial_key'), 'is not', null)
    .execute()
  await index('jobs_by_end', ['queue', 'ended_at']).where(sql.ref('ended_at'), 'is not', null).execute()
}

/** Work that outlives a request, and the queue that each project has for it. */
export const jobs: RelationalMigration = {
  name: '0008-jobs',
  async up(db, kind) {
    await createJobs(db, kind)
    await indexJobs(db)
    await db.schema
      .createTable('job_queues')
      .addColumn('queue', 'text', notNull)
      .addColumn('project_id', 'text', notNull)
      .addColumn('waiting', 'integer', notNull)
      .addColumn('running', 'integer', notNull)
      .addColumn('finished', 'integer', notNull)
      .addColumn('last_claim', 'bigint', notNull)
      .addPrimaryKeyConstraint('job_queues_pk', ['queue', 'project_id'])
      .execute()
    await db.schema.createIndex('job_queues_by_claim').on('job_queues').columns(['queue', 'last_claim']).execute()
  },
}
