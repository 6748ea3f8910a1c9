import { conflict, notFound } from '@heddle/core-api/internal'
import { type Database, releaseBlobsAtOnce, type RelationalStore } from '@heddle/datastore'
import type { TransactionalJobs } from '@heddle/jobs'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import { optimizerHolder } from '../../blob-holders.ts'
import { listProjectsWith } from './projects-store.sql.ts'
import { modelRemovalKind } from './remove-model.ts'
import type { ModelRow } from './model-row.ts'
import type { EndJobsOfModel, ModelsStore } from './models-store.ts'

const columns = ['id', 'project_id', 'name', 'base_model', 'run_id', 'created_by', 'created_at'] as const

export interface ModelsStoreOptions {
  database: RelationalStore
  repeats: RepeatsStore
  endJobsOfModel: EndJobsOfModel
  queued: Pick<TransactionalJobs, 'enqueue'>
}

/** Attempts of the job that removes what a deleted model left. */
const removalAttempts = 20

export function sqlModelsStore({ database, repeats, endJobsOfModel, queued }: ModelsStoreOptions): ModelsStore {
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

    listProjects: (work, entity, limit) => listProjectsWith('trained_models', database.of(work), { entity, limit }),

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
          const queueJobIds = await endJobsOfModel(transaction, id, end)
          await releaseBlobsAtOnce(transaction, optimizerHolder(id))
          await queued.enqueue(transaction, project.id, { kind: modelRemovalKind, payload: { model_id: id }, maxAttempts: removalAttempts })
          return { queueJobIds, checkpoints: await countCheckpoints(transaction, id) }
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

/** How many can be used. */
async function countCheckpoints(transaction: Database, modelId: string): Promise<number> {
  const { count } = await transaction
    .selectFrom('checkpoints')
    .select((select) => select.fn.countAll().as('count'))
    .where('model_id', '=', modelId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
