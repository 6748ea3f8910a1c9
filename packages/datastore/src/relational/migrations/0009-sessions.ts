import type { RelationalMigration } from '../relational-migration.ts'

/** Sessions of browsers: each acts for the API key that opened it. */
export const sessions: RelationalMigration = {
  name: '0009-sessions',
  async up(db) {
    await db.schema
      .createTable('sessions')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sessions_by_key').on('sessions').columns(['key_id', 'created_at']).execute()
  },
}
