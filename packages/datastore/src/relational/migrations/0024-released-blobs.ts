import { sql, type ColumnDefinitionBuilder } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

const primaryKey = (column: ColumnDefinitionBuilder) => column.primaryKey()

/** Blobs to be removed immediately, including those that ended jobs still hold for resuming. */
export const releasedBlobs: RelationalMigration = {
  name: '0024-released-blobs',
  async up(db) {
    await db.schema.createTable('released_blobs').addColumn('sha256', 'text', primaryKey).execute()
    const held = sql`holder LIKE 'recovery:%' AND substr(holder, 10) NOT IN (SELECT id FROM training_jobs WHERE ended_at IS NULL)`
    await sql`INSERT INTO released_blobs (sha256) SELECT DISTINCT sha256 FROM blob_references WHERE ${held}`.execute(db)
    await sql`DELETE FROM blob_references WHERE ${held}`.execute(db)
  },
}
