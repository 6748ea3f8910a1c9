import { sql } from 'kysely'
import type { RelationalMigration } from '../relational-migration.ts'

/** Addresses to which a client of a tracking service may upload the files of an artifact; and the jobs of a project, which are listed without a model. */
export const artifactUploads: RelationalMigration = {
  name: '0014-artifact-uploads',
  async up(db, kind) {
    const text = kind === 'postgres' ? sql`text COLLATE "C"` : 'text'
    await db.schema
      .createTable('artifact_uploads')
      .addColumn('hash', text, (column) => column.primaryKey())
      .addColumn('project_id', text, (column) => column.notNull())
      .addColumn('name', text)
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('artifact_uploads_by_age').on('artifact_uploads').columns(['expires_at']).execute()
    await db.schema.createIndex('training_jobs_by_project').on('training_jobs').columns(['project_id', 'number']).execute()
  },
}
