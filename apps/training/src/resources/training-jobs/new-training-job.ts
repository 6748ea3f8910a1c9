import { tooManyRequests } from '@heddle/core-api/internal'
import type { BlobStat, Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { ModelRow } from '../models/model-row.ts'
import type { TrainingJobRow } from './training-job-row.ts'
import type { TrainingJobsStore } from './training-jobs-store.ts'

/** Jobs of a model that have not ended. */
const defaultMaxUnfinished = 1_000

export type NewRow = (model: ModelRow, context: Context, input: BlobStat) => Omit<TrainingJobRow, 'kind' | 'config' | 'source'>

/** Creates rows of newly requested jobs. */
export function createNewRow({ clock, newId }: { clock: () => Micros; newId: () => string }): NewRow {
  return (model, context, input) => {
    const { id: model_id, project_id } = model
    const unset = {
      queue_job_id: null,
      parent_step: null,
      reference_step: null,
      step: null,
      trainable_tokens: null,
      message: null,
      error: null,
    }
    const fine_tuning_request = null
    const times = { created_at: clock(), started_at: null, ended_at: null }
    return {
      ...unset,
      ...times,
      fine_tuning_request,
      id: newId(),
      project_id,
      model_id,
      status: 'queued',
      input,
      created_by: context.caller.userId,
    }
  }
}

/** @throws ApiError 429 when the model has as many jobs as it may */
export type AssertFewJobs = (context: Context, model: ModelRow) => Promise<void>

export function createAssertFewJobs(
  store: Pick<TrainingJobsStore, 'countUnfinished'>,
  maxUnfinished = defaultMaxUnfinished,
): AssertFewJobs {
  return async (context, model) => {
    if ((await store.countUnfinished(context.work, model.id)) < maxUnfinished) return
    throw tooManyRequests(`the model "${model.name}" has ${maxUnfinished} training jobs that have not ended; wait for one to end`, 30)
  }
}
