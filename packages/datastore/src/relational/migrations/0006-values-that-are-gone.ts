import { sql } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

/** Marks deleted versions whose value is purged, so that the sweep queries only the others. */
export const valuesThatAreGone: RelationalMigration = {
  name: '0006-values-that-are-gone',
  async up(db) {
    await db.schema.alterTable('object_versions').addColumn('value_gone_at', 'bigint').execute()
    await db.schema.dropIndex('object_versions_deleted').execute()
    await db.schema
      .createIndex('object_versions_deleted')
      .on('object_versions')
      .columns(['project_id', 'deleted_at'])
      .where(sql.ref('deleted_at'), 'is not', null)
      .where(sql.ref('value_gone_at'), 'is', null)
      .execute()
  },
}
