import type { RelationalMigration } from '../relational-migration.ts'

/** An index from a value to the versions that reference it. */
export const versionsByDigest: RelationalMigration = {
  name: '0005-versions-by-digest',
  async up(db) {
    await db.schema.createIndex('object_versions_by_digest').on('object_versions').columns(['project_id', 'digest']).execute()
  },
}
