import { conflict, notFound } from '@heddle/core-api/internal'
import { type Database, releaseBlobs, releaseBlobsAtOnce, type RelationalStore } from '@heddle/datastore'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import { checkpointHolder, logHolder, optimizerHolder } from '../../blob-holders.ts'
import { type EndJob, releaseInputsOfModel } from '../training-jobs/end-job-store.sql.ts'
import { deleteRecorded } from '../recorded-trajectories/recorded-trajectories-store.sql.ts'
import type { ModelRow } from './model-row.ts'
import type { ModelsStore } from './models-store.ts'

const columns = ['id', 'project_id', 'name', 'base_model', 'run_id', 'created_by', 'created_at'] as const

export function sqlModelsStore(database: RelationalStore, repeats: RepeatsStore, endJob: EndJob): ModelsStore {
  return {
    create: (project, { row, checkpointId, repeat }) =>
      database
        .of(project)
        .transaction()
        .execute((transaction) =>
          repeats.once(transaction, repeat, row.created_at, async () => {
            const { numInsertedOrUpdatedRows = 0n } = await transaction
              .insertInto('trained_models')
              .values({ ...row, reward_history: null, optimizer_state: null })
              .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
              .executeTakeFirst()
            if (numInsertedOrUpdatedRows === 0n) return { row: await readByName(transaction, row), isNew: false }
            await insertFirstCheckpoint(transaction, row, checkpointId)
            return { row, isNew: true }
          }),
        ),

    find: (work, id) => database.of(work).selectFrom('trained_models').select(columns).where('id', '=', id).executeTakeFirst(),

    findByName: (project, name) =>
      database
        .of(project)
        .selectFrom('trained_models')
        .select(columns)
        .where('project_id', '=', project.id)
        .where('name', '=', name)
        .executeTakeFirst(),

    async list(work, projectIds, { name, after, limit }) {
      if (projectIds.length === 0) return []
      const models = database.of(work).selectFrom('trained_models').where('project_id', 'in', projectIds)
      let query = models.select(columns)
      if (name !== null) query = query.where('name', '=', name)
      if (after !== null) {
        const last = await models.select('number').where('id', '=', after).executeTakeFirst()
        if (!last) throw notFound(`after: model ${JSON.stringify(after)} was not found`)
        query = query.where('number', '>', last.number)
      }
      return query.orderBy('number').limit(limit).execute()
    },

    async listProjects(work, entity, limit) {
      const rows = await database
        .of(work)
        .selectFrom('trained_models')
        .select('project_id')
        .distinct()
        .where('project_id', '>=', `${entity}/`)
        .where('project_id', '<', `${entity}0`)
        .orderBy('project_id')
        .limit(limit)
        .execute()
      return rows.map(({ project_id }) => project_id)
    },

    delete: (project, id, end) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { numDeletedRows } = await transaction
            .deleteFrom('trained_models')
            .where('id', '=', id)
            .where('project_id', '=', project.id)
            .executeTakeFirst()
          if (numDeletedRows === 0n) return undefined
          await assertNoneKept(transaction, id)
          const queueJobIds = await endJobs(transaction, id, { ...end, endJob })
          await releaseInputsOfModel(transaction, id)
          await deleteLogs(transaction, id)
          await deleteRecorded(transaction, id)
          await releaseBlobsAtOnce(transaction, optimizerHolder(id))
          return { queueJobIds, checkpoints: await deleteCheckpoints(transaction, id) }
        }),
  }
}

function readByName(transaction: Database, { project_id, name }: ModelRow): Promise<ModelRow> {
  return transaction
    .selectFrom('trained_models')
    .select(columns)
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
}

async function insertFirstCheckpoint(transaction: Database, { id, created_at }: ModelRow, checkpointId: string): Promise<void> {
  await transaction
    .insertInto('checkpoints')
    .values({
      id: checkpointId,
      model_id: id,
      step: 0,
      metrics: '{}',
      files: '{}',
      job_id: null,
      created_at,
      deleted_at: null,
      kept_at: null,
      kept_by: null,
    })
    .execute()
}

async function endJobs(
  transaction: Database,
  modelId: string,
  { at, reason, newId, endJob }: { at: number; reason: string; newId: () => string; endJob: EndJob },
): Promise<string[]> {
  const jobs = await transaction
    .selectFrom('training_jobs')
    .select(['id', 'queue_job_id'])
    .where('model_id', '=', modelId)
    .where('ended_at', 'is', null)
    .execute()
  for (const { id } of jobs) await endJob(transaction, { id, status: 'failed', error: reason, at, eventId: newId() })
  return jobs.flatMap(({ queue_job_id }) => queue_job_id ?? [])
}

async function deleteLogs(transaction: Database, modelId: string): Promise<void> {
  await releaseBlobs(transaction, logHolder(modelId))
  await transaction.deleteFrom('trajectory_groups').where('model_id', '=', modelId).execute()
  await transaction.deleteFrom('trajectory_names').where('model_id', '=', modelId).execute()
}

/** @throws ApiError 409, which undoes what the transaction did */
async function assertNoneKept(transaction: Database, modelId: string): Promise<void> {
  const kept = await transaction
    .selectFrom('checkpoints')
    .select('step')
    .where('model_id', '=', modelId)
    .where('deleted_at', 'is', null)
    .where('kept_at', 'is not', null)
    .orderBy('step')
    .limit(10)
    .execute()
  if (kept.length === 0) return
  const steps = kept.map(({ step }) => step).join(', ')
  throw conflict(`checkpoints of the model are marked as kept (steps ${steps}); remove the marks before you delete it`)
}

/** Returns how many could be used before. */
async function deleteCheckpoints(transaction: Database, modelId: string): Promise<number> {
  const checkpoints = await transaction.selectFrom('checkpoints').select(['id', 'deleted_at']).where('model_id', '=', modelId).execute()
  for (const { id } of checkpoints) await releaseBlobs(transaction, checkpointHolder(id))
  await transaction.deleteFrom('checkpoints').where('model_id', '=', modelId).execute()
  return checkpoints.filter(({ deleted_at }) => deleted_at === null).length
}
