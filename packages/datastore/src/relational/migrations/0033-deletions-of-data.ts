import type { RelationalMigration } from '../relational-migration.ts'

/** Deletions of all data that a selection covers, in addition to those of many records of one kind. */
export const deletionsOfData: RelationalMigration = {
  name: '0033-deletions-of-data',
  async up(db) {
    await db.schema.alterTable('deletions').addColumn('request', 'text').execute()
    await db.schema.alterTable('deletions').addColumn('report', 'text').execute()
  },
}
