import { conflict, notFound } from '@heddle/core-api/internal'
import { referenceBlobs, releaseBlobsAtOnce, type RelationalStore } from '@heddle/datastore'
import type { TrainingDataKind } from '../../sequences/fine-tuning/check-training-data.ts'
import { trainingFileHolder } from '../../blob-holders.ts'
import { listProjectsWith } from '../models/projects-store.sql.ts'
import type { TrainingFileRow } from './training-file-row.ts'
import type { TrainingFilesStore } from './training-files-store.ts'

const columns = ['id', 'project_id', 'filename', 'sha256', 'size_bytes', 'kind', 'examples', 'error', 'created_by', 'created_at'] as const

/** Files of a project. */
const defaultMaxFiles = 10_000

export function sqlTrainingFilesStore(database: RelationalStore, maxFiles = defaultMaxFiles): TrainingFilesStore {
  return {
    create: (project, row) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { count } = await transaction
            .selectFrom('training_files')
            .select(({ fn }) => fn.countAll<number | string>().as('count'))
            .where('project_id', '=', project.id)
            .executeTakeFirstOrThrow()
          if (Number(count) >= maxFiles)
            throw conflict(`${project.id} has ${maxFiles} files already; delete some with DELETE /v1/files/{id}`)
          await transaction.insertInto('training_files').values(row).execute()
          await referenceBlobs(transaction, trainingFileHolder(row.id), [row.sha256])
        }),

    async find(work, id) {
      if (id.includes('\0')) return undefined
      const row = await database.of(work).selectFrom('training_files').select(columns).where('id', '=', id).executeTakeFirst()
      return row && toRow(row)
    },

    async list(work, projectIds, { order, after, limit }) {
      if (projectIds.length === 0) return []
      const files = database.of(work).selectFrom('training_files').where('project_id', 'in', projectIds)
      let query = files.select(columns)
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await files.select('number').where('id', '=', after).executeTakeFirst()
        if (!last) throw notFound(`after: file ${JSON.stringify(after.slice(0, 100))} was not found in this list`, { param: 'after' })
        query = query.where('number', order === 'asc' ? '>' : '<', last.number)
      }
      return (await query.orderBy('number', order).limit(limit).execute()).map(toRow)
    },

    listProjects: (work, entity, limit) => listProjectsWith('training_files', database.of(work), { entity, limit }),

    delete: (project, id) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { numDeletedRows } = await transaction
            .deleteFrom('training_files')
            .where('id', '=', id)
            .where('project_id', '=', project.id)
            .executeTakeFirst()
          if (numDeletedRows > 0n) await releaseBlobsAtOnce(transaction, trainingFileHolder(id))
          return numDeletedRows > 0n
        }),
  }
}

type StoredRow = Omit<TrainingFileRow, 'kind'> & { kind: string }

const toRow = ({ kind, ...row }: StoredRow): TrainingFileRow => ({
  ...row,
  kind: kind as TrainingDataKind,
  size_bytes: Number(row.size_bytes),
  created_at: Number(row.created_at),
})
