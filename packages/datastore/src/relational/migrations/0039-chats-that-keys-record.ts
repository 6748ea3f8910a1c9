import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalKind, RelationalMigration } from '../relational-migration.ts'

const notNull = (column: ColumnDefinitionBuilder) => column.notNull()

/** Text that is compared bytewise on both stores. */
const byteText = (kind: RelationalKind) => (kind === 'postgres' ? sql`text COLLATE "C"` : 'text')

/** Keys that record their chats, and the conversations by which a later chat finds its trajectory. */
export const chatsThatKeysRecord: RelationalMigration = {
  name: '0039-chats-that-keys-record',
  async up(db, kind) {
    await db.schema.alterTable('api_keys').addColumn('recording', 'text').execute()
    await db.schema
      .createTable('recorded_conversations')
      .addColumn('model_id', byteText(kind), notNull)
      .addColumn('key_id', byteText(kind), notNull)
      .addColumn('digest', byteText(kind), notNull)
      .addColumn('trajectory_id', byteText(kind), notNull)
      .addColumn('messages', 'integer', notNull)
      .addColumn('is_once', 'integer', notNull)
      .addColumn('is_continued', 'integer', notNull)
      .addPrimaryKeyConstraint('recorded_conversations_pk', ['model_id', 'key_id', 'digest', 'trajectory_id'])
      .execute()
    await db.schema
      .createIndex('recorded_conversations_by_trajectory')
      .on('recorded_conversations')
      .columns(['model_id', 'trajectory_id'])
      .execute()
  },
}
