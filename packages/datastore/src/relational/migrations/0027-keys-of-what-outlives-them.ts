import type { RelationalMigration } from '../relational-migration.ts'

/** The keys with which public links, webhooks and versions of objects were made, and the versions of monitors that ended with their key. */
export const keysOfWhatOutlivesThem: RelationalMigration = {
  name: '0027-keys-of-what-outlives-them',
  async up(db) {
    for (const table of ['shared_traces', 'webhooks', 'object_versions'])
      await db.schema.alterTable(table).addColumn('key_id', 'text').execute()
    await db.schema.alterTable('monitors').addColumn('stopped_digest', 'text').execute()
  },
}
