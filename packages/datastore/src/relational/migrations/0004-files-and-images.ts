import type { RelationalMigration } from '../relational-migration.ts'

/** The hash by which the content of a file, an image among them, is found; and the way from a content to its records. */
export const filesAndImages: RelationalMigration = {
  name: '0004-files-and-images',
  async up(db) {
    await db.schema.alterTable('files').addColumn('sha256', 'text').execute()
    await db.schema.createIndex('files_by_digest').on('files').column('digest').execute()
  },
}
