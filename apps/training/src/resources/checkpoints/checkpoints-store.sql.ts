import { setImmediate } from 'node:timers/promises'
import { conflict, notFound } from '@heddle/core-api/internal'
import { type Database, inParts, type Micros, referenceBlobs, type RelationalStore, type Tables } from '@heddle/datastore'
import type { Selectable } from 'kysely'
import { checkpointHolder } from '../../blob-holders.ts'
import { mergeSums, readSums, toMetrics, writeSums } from './group-metrics.ts'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import type { CheckpointRow, NewCheckpoint } from './checkpoint-row.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'

/** Checkpoints of one statement. */
const deletedAtOnce = 500

export function sqlCheckpointsStore(database: RelationalStore): CheckpointsStore {
  return {
    async list(work, modelId, { order, after, limit }) {
      const checkpoints = database.of(work).selectFrom('checkpoints').where('model_id', '=', modelId)
      let query = checkpoints.selectAll().where('deleted_at', 'is', null)
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await checkpoints.select('step').where('id', '=', after).executeTakeFirst()
        if (!last) throw notFound(`after: checkpoint ${JSON.stringify(after.slice(0, 100))} was not found in this model`)
        query = query.where('step', order === 'asc' ? '>' : '<', last.step)
      }
      return (await query.orderBy('step', order).limit(limit).execute()).map(toRow)
    },

    async find(work, modelId, step) {
      const row = await usable(database.of(work), modelId).where('step', '=', step).executeTakeFirst()
      return row && toRow(row)
    },

    async findNewest(work, modelId) {
      const row = await usable(database.of(work), modelId).orderBy('step', 'desc').limit(1).executeTakeFirst()
      return row && toRow(row)
    },

    delete: (work, modelId, steps, at) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          await lockModel(transaction, modelId)
          const rows = (await usable(transaction, modelId).orderBy('step').execute()).map(toRow)
          const wanted = new Set(steps)
          const found = rows.filter(({ step }) => wanted.has(step))
          const chosen = found.filter(({ kept_at }) => kept_at === null)
          await assertUnused(transaction, modelId, { chosen, newest: rows.at(-1)?.step })
          for (const some of inParts(chosen, deletedAtOnce)) {
            await markDeleted(
              transaction,
              some.map(({ id }) => id),
              at,
            )
            // Statements block the thread; this lets other work run between them.
            await setImmediate()
          }
          const stepsOf = (some: readonly CheckpointRow[]) => some.map(({ step }) => step)
          const known = new Set(stepsOf(found))
          const kept = stepsOf(found.filter(({ kept_at }) => kept_at !== null))
          return { deleted: stepsOf(chosen), kept, notFound: [...wanted].filter((step) => !known.has(step)) }
        }),

    keep: (work, modelId, step, { by, at }) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          await lockModel(transaction, modelId)
          const row = await usable(transaction, modelId).where('step', '=', step).executeTakeFirst()
          if (!row || (row.kept_at !== null) === (by !== null)) return row && toRow(row)
          const mark = { kept_by: by, kept_at: by === null ? null : at }
          await transaction.updateTable('checkpoints').set(mark).where('id', '=', row.id).execute()
          return { ...toRow(row), ...mark }
        }),

    insert,

    insertFirst: (work, row) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          if (!(await lockModel(transaction, row.model_id))) throw notFound('the model was deleted')
          await assertUntrained(transaction, row.model_id)
          await insert(transaction, row)
        }),

    async addLogged(transaction, checkpointId, { split, sums }) {
      const checkpoint = transaction.updateTable('checkpoints').where('id', '=', checkpointId)
      // Changes the row first, so that the second of two concurrent writers reads the result of the first.
      await checkpoint.set((set) => ({ metrics: set.ref('metrics') })).execute()
      const row = await transaction
        .selectFrom('checkpoints')
        .select(['metrics', 'logged_sums'])
        .where('id', '=', checkpointId)
        .executeTakeFirst()
      if (!row) return
      const logged = new Map(Object.entries(JSON.parse(row.logged_sums) as Record<string, unknown>))
      const all = mergeSums(readSums(logged.get(split)), sums)
      const metrics = { ...(JSON.parse(row.metrics) as object), ...toMetrics(all, split) }
      const kept = Object.fromEntries(logged.set(split, writeSums(all)))
      await checkpoint.set({ metrics: JSON.stringify(metrics), logged_sums: JSON.stringify(kept) }).execute()
    },
  }
}

async function insert(transaction: Database, { metrics, files, ...row }: NewCheckpoint): Promise<void> {
  await transaction
    .insertInto('checkpoints')
    .values({ ...row, metrics: JSON.stringify(metrics), files: JSON.stringify(files), deleted_at: null, kept_at: null, kept_by: null })
    .execute()
  await referenceBlobs(
    transaction,
    checkpointHolder(row.id),
    Object.values(files).map(({ digest }) => digest),
  )
}

/** A job of the model that has not ended. */
export function findUnfinishedJob(transaction: Database, modelId: string): Promise<{ id: string } | undefined> {
  return transaction
    .selectFrom('training_jobs')
    .select('id')
    .where('model_id', '=', modelId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Deleted steps count: their numbers are not used again. */
async function assertUntrained(transaction: Database, modelId: string): Promise<void> {
  const trained = await transaction
    .selectFrom('checkpoints')
    .select('step')
    .where('model_id', '=', modelId)
    .where('step', '>', 0)
    .executeTakeFirst()
  if (trained) throw conflict('the model has been trained; register another one to import weights into')
  const job = await findUnfinishedJob(transaction, modelId)
  if (job) throw conflict(`the training job ${job.id} of the model has not ended; cancel it, or register another model`)
}

const usable = (database: Database, modelId: string) =>
  database.selectFrom('checkpoints').selectAll().where('model_id', '=', modelId).where('deleted_at', 'is', null)

async function markDeleted(transaction: Database, ids: readonly string[], at: Micros): Promise<void> {
  await transaction.updateTable('checkpoints').set({ deleted_at: at, files: '{}' }).where('id', 'in', ids).execute()
  await transaction.deleteFrom('blob_references').where('holder', 'in', ids.map(checkpointHolder)).execute()
}

/** Serialises what changes the checkpoints of a model: a job that begins, and one that deletes its parent. */
export async function lockModel(transaction: Database, modelId: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('trained_models')
    .set((set) => ({ name: set.ref('name') }))
    .where('id', '=', modelId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function assertUnused(
  transaction: Database,
  modelId: string,
  { chosen, newest }: { chosen: readonly CheckpointRow[]; newest: number | undefined },
): Promise<void> {
  const isNewest = chosen.some(({ step }) => step === newest)
  if (isNewest) throw conflict(`step ${newest} is the newest checkpoint of the model, from which its next job starts; it cannot be deleted`)
  const jobs = await transaction
    .selectFrom('training_jobs')
    .select(['id', 'parent_step', 'reference_step'])
    .where('model_id', '=', modelId)
    .where('ended_at', 'is', null)
    .execute()
  for (const { step } of chosen) {
    const job = jobs.find(({ parent_step, reference_step }) => parent_step === step || reference_step === step)
    if (job) throw conflict(`the training job ${job.id} uses step ${step}; delete it when the job has ended`)
  }
}

function toRow(row: Selectable<Tables['checkpoints']>): CheckpointRow {
  const { id, model_id, step, metrics, files, job_id, created_at, kept_at, kept_by } = row
  return {
    id,
    model_id,
    step,
    metrics: JSON.parse(metrics) as Record<string, number>,
    files: JSON.parse(files) as CheckpointFiles,
    job_id,
    created_at,
    kept_at,
    kept_by,
  }
}
