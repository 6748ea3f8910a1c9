import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()
const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique()
const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Counts up from 1. */
function withNumber(db: Kysely<unknown>, table: string, kind: RelationalKind) {
  return db.schema
    .createTable(table)
    .addColumn('number', kind === 'sqlite' ? 'integer' : 'bigint', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedAlwaysAsIdentity(),
    )
}

async function createModels(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await withNumber(db, 'trained_models', kind)
    .addColumn('id', byteText(kind), unique)
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('name', byteText(kind), notNull)
    .addColumn('base_model', 'text', notNull)
    .addColumn('run_id', 'text')
    .addColumn('reward_history', 'text')
    .addColumn('optimizer_state', 'text')
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addUniqueConstraint('trained_models_by_name', ['project_id', 'name'])
    .execute()
  await db.schema
    .createTable('checkpoints')
    .addColumn('id', byteText(kind), primaryKey)
    .addColumn('model_id', byteText(kind), notNull)
    .addColumn('step', 'integer', notNull)
    .addColumn('metrics', 'text', notNull)
    .addColumn('files', 'text', notNull)
    .addColumn('job_id', byteText(kind))
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('deleted_at', 'bigint')
    .addUniqueConstraint('checkpoints_by_step', ['model_id', 'step'])
    .execute()
}

async function createJobs(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await withNumber(db, 'training_jobs', kind)
    .addColumn('id', byteText(kind), unique)
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('model_id', byteText(kind), notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('status', 'text', notNull)
    .addColumn('queue_job_id', byteText(kind))
    .addColumn('input', 'text', notNull)
    .addColumn('config', 'text', notNull)
    .addColumn('source', byteText(kind))
    .addColumn('parent_step', 'integer')
    .addColumn('reference_step', 'integer')
    .addColumn('step', 'integer')
    .addColumn('message', 'text')
    .addColumn('error', 'text')
    .addColumn('cancel_requested_at', 'bigint')
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .execute()
  await db.schema.createIndex('training_jobs_by_model').on('training_jobs').columns(['model_id', 'number']).execute()
  await db.schema
    .createIndex('training_jobs_unfinished')
    .on('training_jobs')
    .columns(['number'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('training_jobs_by_source')
    .on('training_jobs')
    .columns(['model_id', 'source'])
    .unique()
    .where(sql.ref('source'), 'is not', null)
    .execute()
  await db.schema
    .createTable('training_events')
    .addColumn('job_id', byteText(kind), notNull)
    .addColumn('seq', 'integer', notNull)
    .addColumn('id', byteText(kind), unique)
    .addColumn('type', 'text', notNull)
    .addColumn('data', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('training_events_pk', ['job_id', 'seq'])
    .execute()
}

async function createLogs(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await withNumber(db, 'trajectory_groups', kind)
    .addColumn('id', byteText(kind), unique)
    .addColumn('model_id', byteText(kind), notNull)
    .addColumn('split', byteText(kind), notNull)
    .addColumn('step', 'integer', notNull)
    .addColumn('sha256', byteText(kind), notNull)
    .addColumn('first_byte', 'bigint', notNull)
    .addColumn('last_byte', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .execute()
  await db.schema.createIndex('trajectory_groups_by_model').on('trajectory_groups').columns(['model_id', 'number']).execute()
  await db.schema
    .createTable('trajectory_names')
    .addColumn('model_id', byteText(kind), notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('name', byteText(kind), notNull)
    .addColumn('group_id', byteText(kind), notNull)
    .addPrimaryKeyConstraint('trajectory_names_pk', ['model_id', 'kind', 'name', 'group_id'])
    .execute()
}

async function createShared(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('training_data')
    .addColumn('project_id', byteText(kind), notNull)
    .addColumn('name', byteText(kind), notNull)
    .addColumn('sha256', byteText(kind), notNull)
    .addColumn('size_bytes', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('training_data_pk', ['project_id', 'name'])
    .execute()
  await db.schema
    .createTable('repeated_requests')
    .addColumn('scope', byteText(kind), notNull)
    .addColumn('key', byteText(kind), notNull)
    .addColumn('fingerprint', 'text', notNull)
    .addColumn('answer', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('repeated_requests_pk', ['scope', 'key'])
    .execute()
  await db.schema.createIndex('repeated_requests_by_age').on('repeated_requests').columns(['created_at']).execute()
  await db.schema
    .createTable('blob_references')
    .addColumn('holder', byteText(kind), notNull)
    .addColumn('sha256', byteText(kind), notNull)
    .addPrimaryKeyConstraint('blob_references_pk', ['holder', 'sha256'])
    .execute()
  await db.schema.createIndex('blob_references_by_blob').on('blob_references').columns(['sha256']).execute()
}

/** Models that are trained, with their checkpoints, jobs and logged trajectories, and the blobs that all of them hold. */
export const training: RelationalMigration = {
  name: '0012-training',
  async up(db, kind) {
    await createModels(db, kind)
    await createJobs(db, kind)
    await createLogs(db, kind)
    await createShared(db, kind)
  },
}
