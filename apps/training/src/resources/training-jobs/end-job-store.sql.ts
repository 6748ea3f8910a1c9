import { type Database, releaseBlobs, releaseBlobsAtOnce } from '@heddle/datastore'
import { inputHolder, recoveryHolder } from '../../blob-holders.ts'
import type { EndJobsOfModel } from '../models/models-store.ts'
import type { EndedJob, OnJobEnded } from './ended-job.ts'
import type { TrainingKind } from './training-job-row.ts'
import type { JobEnd } from './training-jobs-store.ts'

/** Jobs of a model whose trajectories are kept after their end. */
const keptInputs = 10

/** Ends a job that has not ended, with its last event. False if it had already: it is unchanged. */
export type EndJob = (transaction: Database, end: JobEnd) => Promise<boolean>

/** All jobs end through this function. */
export function sqlEndJob(onJobEnded: OnJobEnded | undefined): EndJob {
  return async (transaction, end) => {
    if (!(await endJob(transaction, end))) return false
    if (onJobEnded) await onJobEnded(transaction, await readEnded(transaction, end))
    return true
  }
}

async function endJob(transaction: Database, end: JobEnd): Promise<boolean> {
  const { id, status, error, message = null, step = null, at, eventId } = end
  const { numUpdatedRows } = await transaction
    .updateTable('training_jobs')
    .set({ status, error, message, step, ended_at: at, ...(status !== 'succeeded' && { source: null }) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await releaseBlobsAtOnce(transaction, recoveryHolder(id))
  await releaseInputs(transaction, id)
  const { last } = await transaction
    .selectFrom('training_events')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  const type = status === 'succeeded' ? 'training_ended' : 'training_failed'
  const data = JSON.stringify(status === 'succeeded' ? {} : { error_message: error })
  await transaction
    .insertInto('training_events')
    .values({ job_id: id, seq: (last ?? -1) + 1, id: eventId, type, data, created_at: at })
    .execute()
  return true
}

async function readEnded(transaction: Database, { id, step, status }: JobEnd): Promise<EndedJob> {
  const job = await transaction
    .selectFrom('training_jobs')
    .leftJoin('trained_models', 'trained_models.id', 'training_jobs.model_id')
    .select(['training_jobs.project_id', 'kind', 'model_id', 'name', 'error', 'started_at', 'ended_at'])
    .where('training_jobs.id', '=', id)
    .executeTakeFirstOrThrow()
  const { steps } = await transaction
    .selectFrom('training_events')
    .select(({ fn }) => fn.countAll<number | string>().as('steps'))
    .where('job_id', '=', id)
    .where('type', '=', 'gradient_step')
    .executeTakeFirstOrThrow()
  const { name, kind, ended_at, ...others } = job
  if (ended_at === null) throw new Error(`training job ${id} was ended and has no end`)
  return {
    ...others,
    training_job_id: id,
    kind: kind as TrainingKind,
    model: name,
    status,
    gradient_steps: Number(steps),
    // The step of a job that succeeded is stored with its end.
    checkpoint_step: name === null ? null : (step ?? (await newestStep(transaction, job.model_id))),
    ended_at,
  }
}

async function newestStep(transaction: Database, modelId: string): Promise<number | null> {
  const { step } = await transaction
    .selectFrom('checkpoints')
    .select(({ fn }) => fn.max<number | null>('step').as('step'))
    .where('model_id', '=', modelId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return step
}

/**
 * The inputs of the newest jobs of the model are kept for inspection: an ending job is one of them and displaces the oldest, or its input is removed.
 * Training data of fine-tuning is kept separately.
 */
async function releaseInputs(transaction: Database, jobId: string): Promise<void> {
  const { model_id, kind } = await transaction
    .selectFrom('training_jobs')
    .select(['model_id', 'kind'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow()
  const newest = kind === 'rl' ? await newestEnded(transaction, model_id, keptInputs + 1) : []
  const released = newest.slice(keptInputs)
  if (!newest.includes(jobId)) released.push(jobId)
  for (const id of released) await releaseBlobs(transaction, inputHolder(id))
}

export function sqlEndJobsOfModel(endJob: EndJob): EndJobsOfModel {
  return async (transaction, modelId, { at, reason, newId }) => {
    const jobs = await transaction
      .selectFrom('training_jobs')
      .select(['id', 'queue_job_id'])
      .where('model_id', '=', modelId)
      .where('ended_at', 'is', null)
      .execute()
    for (const { id } of jobs) await endJob(transaction, { id, status: 'failed', error: reason, at, eventId: newId() })
    for (const id of await newestEnded(transaction, modelId, keptInputs)) await releaseBlobs(transaction, inputHolder(id))
    return jobs.flatMap(({ queue_job_id }) => queue_job_id ?? [])
  }
}

/** Ids of jobs that learn from trajectories. */
async function newestEnded(transaction: Database, modelId: string, limit: number): Promise<string[]> {
  const rows = await transaction
    .selectFrom('training_jobs')
    .select('id')
    .where('model_id', '=', modelId)
    .where('kind', '=', 'rl')
    .where('ended_at', 'is not', null)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
