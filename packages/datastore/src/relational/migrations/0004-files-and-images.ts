import type { RelationalMigration } from '../relational-migration.ts'

/** The hash of the content of files and images, with an index on it. */
export const filesAndImages: RelationalMigration = {
  name: '0004-files-and-images',
  async up(db) {
    await db.schema.alterTable('files').addColumn('sha256', 'text').execute()
    await db.schema.createIndex('files_by_digest').on('files').column('digest').execute()
  },
}
