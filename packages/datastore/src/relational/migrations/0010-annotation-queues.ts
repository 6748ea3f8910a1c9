import { sql, type ColumnDefinitionBuilder, type Kysely } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()
const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()
const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

async function createQueues(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('annotation_queues')
    .addColumn('id', byteText(kind), primaryKey)
    .addColumn('project_id', 'text', notNull)
    .addColumn('name', byteText(kind), notNull)
    .addColumn('folded_name', byteText(kind), notNull)
    .addColumn('description', 'text', notNull)
    .addColumn('scorer_refs', 'text', notNull)
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('deleted_at', 'bigint')
    .addColumn('total_items', 'integer', zero)
    .addColumn('completed_items', 'integer', zero)
    .execute()
  await db.schema
    .createIndex('annotation_queues_by_age')
    .on('annotation_queues')
    .columns(['project_id', 'created_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
}

async function createItems(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('annotation_items')
    .addColumn('id', byteText(kind), primaryKey)
    .addColumn('project_id', 'text', notNull)
    .addColumn('queue_id', byteText(kind), notNull)
    .addColumn('call_id', byteText(kind), notNull)
    .addColumn('call_started_at', 'bigint', notNull)
    .addColumn('call_ended_at', 'bigint')
    .addColumn('call_op_name', byteText(kind), notNull)
    .addColumn('call_trace_id', byteText(kind), notNull)
    .addColumn('display_fields', 'text', notNull)
    .addColumn('added_by', 'text', notNull)
    .addColumn('created_by', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addColumn('annotation_state', 'text', notNull)
    .addColumn('annotator_user_id', 'text', notNull)
    .addColumn('finished_at', 'bigint')
    .addColumn('claimed_by', 'text')
    .addColumn('claimed_until', 'bigint')
    .execute()
  await db.schema.createIndex('annotation_items_by_call').on('annotation_items').columns(['queue_id', 'call_id']).unique().execute()
  await db.schema.createIndex('annotation_items_in_order').on('annotation_items').columns(['queue_id', 'created_at', 'id']).execute()
  await db.schema
    .createIndex('annotation_items_open')
    .on('annotation_items')
    .columns(['queue_id', 'created_at', 'id'])
    .where(sql.ref('finished_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('annotation_items_claimed')
    .on('annotation_items')
    .columns(['queue_id', 'claimed_by'])
    .where(sql.ref('claimed_by'), 'is not', null)
    .execute()
}

async function createProgress(db: Kysely<unknown>, kind: RelationalKind): Promise<void> {
  await db.schema
    .createTable('annotation_progress')
    .addColumn('item_id', byteText(kind), notNull)
    .addColumn('annotator_user_id', byteText(kind), notNull)
    .addColumn('project_id', 'text', notNull)
    .addColumn('annotation_state', 'text', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('updated_at', 'bigint', notNull)
    .addPrimaryKeyConstraint('annotation_progress_pk', ['item_id', 'annotator_user_id'])
    .execute()
}

/** Queues of calls to review, their items, and the progress of each annotator. */
export const annotationQueues: RelationalMigration = {
  name: '0010-annotation-queues',
  async up(db, kind) {
    await createQueues(db, kind)
    await createItems(db, kind)
    await createProgress(db, kind)
  },
}
