import { sql } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

/** Deletions of objects with many versions, in addition to those of many calls and feedback. */
export const deletionsOfObjects: RelationalMigration = {
  name: '0032-deletions-of-objects',
  async up(db, kind) {
    await db.schema
      .alterTable('deletions')
      .addColumn('object_id', kind === 'postgres' ? sql`text COLLATE "C"` : 'text')
      .execute()
    await db.schema
      .createIndex('deletions_of_objects')
      .on('deletions')
      .columns(['project_id', 'object_id'])
      .where(sql.ref('ended_at'), 'is', null)
      .execute()
  },
}
