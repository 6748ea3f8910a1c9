import { notFound } from '@heddle/core-api/internal'
import { type Database, invariant, referenceBlobs, type RelationalStore, type Tables } from '@heddle/datastore'
import type { Selectable } from 'kysely'
import { inputHolder } from '../../blob-holders.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import { type SftConfig, toSftIdentity } from '../../training/sft/sft-config.ts'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import { lockModel } from '../checkpoints/checkpoints-store.sql.ts'
import { noSuchModel } from '../models/open-model.ts'
import type { EndJob } from './end-job-store.sql.ts'
import type { TrainingJobRow } from './training-job-row.ts'
import type { EventRow, NewRewards, TrainingJobsStore } from './training-jobs-store.ts'

/** Rewards of this many jobs are kept for each model. */
const maxRewards = 1_000

export function sqlTrainingJobsStore(database: RelationalStore, repeats: RepeatsStore, endJob: EndJob): TrainingJobsStore {
  return {
    create: (project, row, repeat) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!(await lockModel(transaction, row.model_id))) throw noSuchModel(row.model_id)
          const id = await repeats.once(transaction, repeat, row.created_at, () =>
            insert(transaction, row, { finds: repeat === undefined }),
          )
          return id === row.id ? row : readRow(transaction, id)
        }),

    async setQueueJob(work, id, queueJobId) {
      await database.of(work).updateTable('training_jobs').set({ queue_job_id: queueJobId }).where('id', '=', id).execute()
    },

    async find(work, id) {
      const row = id.includes('\0') ? undefined : await jobs(database.of(work)).where('id', '=', id).executeTakeFirst()
      return row && toRow(row)
    },

    async list(work, within, { kind, status, isFineTuning = false, order, after, limit }) {
      if ('projectIds' in within && within.projectIds.length === 0) return []
      const all = jobs(database.of(work))
      const listed = 'modelId' in within ? all.where('model_id', '=', within.modelId) : all.where('project_id', 'in', within.projectIds)
      let query = listed
      if (isFineTuning) query = query.where('fine_tuning_request', 'is not', null)
      if (kind !== null) query = query.where('kind', '=', kind)
      if (status !== null) query = query.where('status', '=', status)
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await listed.where('id', '=', after).executeTakeFirst()
        if (!last)
          throw notFound(`after: training job ${JSON.stringify(after.slice(0, 100))} was not found in this list`, { param: 'after' })
        query = query.where('number', order === 'asc' ? '>' : '<', last.number)
      }
      return (await query.orderBy('number', order).limit(limit).execute()).map(toRow)
    },

    async countUnfinished(work, modelId) {
      const { count } = await database
        .of(work)
        .selectFrom('training_jobs')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .where('model_id', '=', modelId)
        .where('ended_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async keepsInput(work, jobId) {
      const references = database.of(work).selectFrom('blob_references').select('sha256').where('holder', '=', inputHolder(jobId))
      return (await references.limit(1).execute()).length > 0
    },

    async listEvents(work, jobId, { order = 'asc', after, limit }) {
      const events = database.of(work).selectFrom('training_events').selectAll().where('job_id', '=', jobId)
      let query = events
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await events.where('id', '=', after).executeTakeFirst()
        if (!last) throw notFound(`after: event ${JSON.stringify(after.slice(0, 100))} was not found in this job`)
        query = query.where('seq', order === 'asc' ? '>' : '<', last.seq)
      }
      return (await query.orderBy('seq', order).limit(limit).execute()).map(toEventRow)
    },

    async begin(transaction, id, at) {
      const { numUpdatedRows } = await transaction
        .updateTable('training_jobs')
        .set((set) => ({ status: 'running', started_at: set.fn.coalesce('started_at', set.val(at)) }))
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return undefined
      const job = await readRow(transaction, id)
      if (!(await lockModel(transaction, job.model_id))) return undefined
      const usable = transaction.selectFrom('checkpoints').selectAll().where('model_id', '=', job.model_id).where('deleted_at', 'is', null)
      const chosen = job.parent_step === null ? usable.orderBy('step', 'desc').limit(1) : usable.where('step', '=', job.parent_step)
      const { metrics, files, deleted_at: _, ...parent } = await chosen.executeTakeFirstOrThrow()
      await transaction.updateTable('training_jobs').set({ parent_step: parent.step }).where('id', '=', id).execute()
      return {
        job: { ...job, parent_step: parent.step },
        parent: {
          ...parent,
          metrics: JSON.parse(metrics) as Record<string, number>,
          files: JSON.parse(files) as CheckpointFiles,
        },
      }
    },

    async setReference(transaction, { id, model_id }, step) {
      if (!(await lockModel(transaction, model_id))) return false
      const checkpoint = await transaction
        .selectFrom('checkpoints')
        .select('id')
        .where('model_id', '=', model_id)
        .where('step', '=', step)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!checkpoint) return false
      await transaction.updateTable('training_jobs').set({ reference_step: step }).where('id', '=', id).execute()
      return true
    },

    async addEvent(transaction, { data, ...event }) {
      // Locks the job, so that no event is added after its last one.
      const { numUpdatedRows } = await transaction
        .updateTable('training_jobs')
        .set({ status: 'running' })
        .where('id', '=', event.job_id)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await checkNumber(transaction, event)
      const { numInsertedOrUpdatedRows = 0n } = await transaction
        .insertInto('training_events')
        .values({ ...event, data: JSON.stringify(data) })
        .onConflict((conflict) => conflict.columns(['job_id', 'seq']).doNothing())
        .executeTakeFirst()
      // A retried attempt may report steps again.
      if (numInsertedOrUpdatedRows > 0n) await addTokens(transaction, event.job_id, data['num_trainable_tokens'])
      return true
    },

    end: endJob,
    endNow: (work, end) =>
      database
        .of(work)
        .transaction()
        .execute((transaction) => endJob(transaction, end)),

    async findRewards(work, modelId) {
      const row = await database.of(work).selectFrom('trained_models').select('reward_history').where('id', '=', modelId).executeTakeFirst()
      return parseRewards(row?.reward_history ?? null)
    },

    async addRewards(transaction, modelId, rewards) {
      const model = await transaction.selectFrom('trained_models').select('reward_history').where('id', '=', modelId).executeTakeFirst()
      const history = [...parseRewards(model?.reward_history ?? null), rewards].slice(-maxRewards)
      await transaction
        .updateTable('trained_models')
        .set({ reward_history: JSON.stringify(history) })
        .where('id', '=', modelId)
        .execute()
    },

    async findStray(createdBefore) {
      const rows = await database
        .selectFrom('training_jobs')
        .leftJoin('jobs', 'jobs.id', 'training_jobs.queue_job_id')
        .selectAll('training_jobs')
        .select(['jobs.state as queue_state', 'jobs.error as queue_error'])
        .where('training_jobs.ended_at', 'is', null)
        .where('training_jobs.created_at', '<', createdBefore)
        .where((where) => where.or([where('jobs.id', 'is', null), where('jobs.ended_at', 'is not', null)]))
        .orderBy('training_jobs.number')
        .limit(100)
        .execute()
      return rows.map(({ queue_state, queue_error, ...row }) => ({ job: toRow(row), queueState: queue_state, queueError: queue_error }))
    },

    sweep: (endedBefore) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('training_jobs')
          .select('id')
          .where('ended_at', '<', endedBefore)
          .where('model_id', 'not in', transaction.selectFrom('trained_models').select('id'))
          .limit(500)
          .execute()
        const ids = rows.map(({ id }) => id)
        if (ids.length === 0) return 0
        await transaction.deleteFrom('training_events').where('job_id', 'in', ids).execute()
        await transaction.deleteFrom('training_jobs').where('id', 'in', ids).execute()
        return ids.length
      }),
  }
}

const jobs = (database: Database) => database.selectFrom('training_jobs').selectAll()

/** Returns the id of the existing job, if one may be reused. Requests for jobs of one model are processed one after the other. */
async function insert(transaction: Database, row: TrainingJobRow, { finds }: { finds: boolean }): Promise<string> {
  const same = finds && row.kind === 'sft' ? await findSame(transaction, row) : undefined
  if (same !== undefined) return same
  await transaction
    .insertInto('training_jobs')
    .values({
      ...row,
      input: JSON.stringify(row.input),
      config: JSON.stringify(row.config),
      fine_tuning_request: row.fine_tuning_request && JSON.stringify(row.fine_tuning_request),
      cancel_requested_at: null,
    })
    .execute()
  await referenceBlobs(transaction, inputHolder(row.id), [row.input.digest])
  return row.id
}

/** The newest job with the same source and settings. Failed and cancelled jobs have no source, so they are not found. */
async function findSame(
  transaction: Database,
  { model_id, source, config }: TrainingJobRow & { kind: 'sft' },
): Promise<string | undefined> {
  const candidates = await transaction
    .selectFrom('training_jobs')
    .select(['id', 'config'])
    .where('model_id', '=', model_id)
    .where('source', '=', source)
    .orderBy('number', 'desc')
    .execute()
  const wanted = toSftIdentity(config)
  return candidates.find((each) => toSftIdentity(JSON.parse(each.config) as SftConfig | null) === wanted)?.id
}

/** Events of a job are numbered without gaps; a retried attempt may add existing ones again. The row of the job is locked. */
async function checkNumber(transaction: Database, { job_id, seq }: Pick<EventRow, 'job_id' | 'seq'>): Promise<void> {
  const events = transaction.selectFrom('training_events').where('job_id', '=', job_id)
  const last = await events.select((select) => select.fn.max('seq').as('seq')).executeTakeFirst()
  const next = Number(last?.seq ?? -1) + 1
  invariant(seq <= next, 'training.events-leave-no-gap', () => `job ${job_id}: event ${seq} where ${next} is next`)
}

async function addTokens(transaction: Database, id: string, tokens: unknown): Promise<void> {
  if (typeof tokens !== 'number') return
  await transaction
    .updateTable('training_jobs')
    .set(({ eb, fn, val }) => ({ trainable_tokens: eb(fn.coalesce('trainable_tokens', val(0)), '+', tokens) }))
    .where('id', '=', id)
    .execute()
}

async function readRow(transaction: Database, id: string): Promise<TrainingJobRow> {
  return toRow(await jobs(transaction).where('id', '=', id).executeTakeFirstOrThrow())
}

function toRow(row: Selectable<Tables['training_jobs']>): TrainingJobRow {
  const { number: _, cancel_requested_at: __, input, config, fine_tuning_request: request, ...others } = row
  return {
    ...others,
    input: JSON.parse(input) as unknown,
    config: JSON.parse(config) as unknown,
    fine_tuning_request: request === null ? null : (JSON.parse(request) as unknown),
  } as TrainingJobRow
}

function toEventRow({ data, type, ...row }: Selectable<Tables['training_events']>): EventRow {
  return { ...row, type: type as EventRow['type'], data: JSON.parse(data) as Record<string, unknown> }
}

function parseRewards(text: string | null): NewRewards[] {
  return text === null ? [] : (JSON.parse(text) as NewRewards[])
}
