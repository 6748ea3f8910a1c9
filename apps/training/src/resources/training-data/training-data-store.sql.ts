import { referenceBlobs, type RelationalStore } from '@heddle/datastore'
import { trainingDataHolder } from '../../blob-holders.ts'
import type { TrainingDataStore } from './training-data-store.ts'

const maxFiles = 100

export function sqlTrainingDataStore(database: RelationalStore): TrainingDataStore {
  return {
    async create(project, { name, content, at }) {
      await database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { numInsertedOrUpdatedRows = 0n } = await transaction
            .insertInto('training_data')
            .values({ project_id: project.id, name, sha256: content.digest, size_bytes: content.sizeBytes, created_at: at })
            .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
            .executeTakeFirst()
          if (numInsertedOrUpdatedRows > 0n) await referenceBlobs(transaction, trainingDataHolder(project.id, name), [content.digest])
        })
    },
    async find(scope, projectId, name) {
      const row = await database
        .of(scope)
        .selectFrom('training_data')
        .select(['sha256', 'size_bytes'])
        .where('project_id', '=', projectId)
        .where('name', '=', name)
        .executeTakeFirst()
      return row && { digest: row.sha256, sizeBytes: Number(row.size_bytes) }
    },
    async listFiles(scope, projectId, artifact) {
      const rows = await database
        .of(scope)
        .selectFrom('training_data')
        .select(['name', 'sha256', 'size_bytes'])
        .where('project_id', '=', projectId)
        .where('name', '>', `${artifact}/`)
        // The character after the slash.
        .where('name', '<', `${artifact}0`)
        .limit(maxFiles)
        .execute()
      return rows.map((row) => ({
        name: row.name.slice(artifact.length + 1),
        content: { digest: row.sha256, sizeBytes: Number(row.size_bytes) },
      }))
    },
  }
}
