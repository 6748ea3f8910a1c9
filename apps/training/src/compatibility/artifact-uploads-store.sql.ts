import type { RelationalStore } from '@heddle/datastore'
import type { ArtifactUploadsStore } from './artifact-uploads-store.ts'

export function sqlArtifactUploadsStore(database: RelationalStore): ArtifactUploadsStore {
  return {
    async create(scope, uploads) {
      if (uploads.length === 0) return
      const rows = uploads.map(({ hash, projectId, name, expiresAt }) => ({ hash, project_id: projectId, name, expires_at: expiresAt }))
      await database.of(scope).insertInto('artifact_uploads').values(rows).execute()
    },
    async find(scope, hash, now) {
      const row = await database
        .of(scope)
        .selectFrom('artifact_uploads')
        .select(['project_id', 'name'])
        .where('hash', '=', hash)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return row && { projectId: row.project_id, name: row.name }
    },
    async sweep(now) {
      await database.deleteFrom('artifact_uploads').where('expires_at', '<=', now).execute()
    },
  }
}
