import type { RelationalMigration } from '../relational-migration.ts'

/** Links that sign a browser in once: each acts for the API key that made it. */
export const signInLinks: RelationalMigration = {
  name: '0013-sign-in-links',
  async up(db) {
    await db.schema
      .createTable('sign_in_links')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sign_in_links_by_key').on('sign_in_links').columns(['key_id', 'created_at']).execute()
  },
}
