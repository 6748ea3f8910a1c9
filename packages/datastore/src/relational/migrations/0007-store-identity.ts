import type { RelationalMigration } from '../relational-migration.ts'

/** The id of the store that this database, the analytical tables and the blobs belong to. */
export const storeIdentity: RelationalMigration = {
  name: '0007-store-identity',
  async up(db) {
    await db.schema
      .createTable('store_identity')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('is_bound', 'integer', (column) => column.notNull())
      .execute()
  },
}
