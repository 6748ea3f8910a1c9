import type { RelationalMigration } from '../relational-migration.ts'

/** Deletions of many feedback, in addition to those of many calls. */
export const deletionsOfAnyRecords: RelationalMigration = {
  name: '0030-deletions-of-any-records',
  async up(db) {
    await db.schema.alterTable('call_deletions').renameTo('deletions').execute()
    await db.schema.alterTable('deletions').renameColumn('calls', 'total').execute()
    await db.schema
      .alterTable('deletions')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('calls'))
      .execute()
    await db.schema
      .alterTable('deletions')
      .addColumn('last_version', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
