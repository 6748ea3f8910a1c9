import type { Context } from '@heddle/identity'
import type { RepeatableRequest } from '../../repeats/repeats-store.ts'
import { adapterRequestOf, type SftConfig } from '../../training/sft/sft-config.ts'
import type { OpenedModel } from '../models/open-model.ts'
import type { FoundTrainingData } from '../training-data/find-training-data.ts'
import type { CheckMemory } from './check-memory.ts'
import type { FindBase } from '../models/find-base.ts'
import type { FindAdapter } from './find-adapter.ts'
import type { AssertFewJobs, NewRow } from './new-training-job.ts'
import type { StoredFineTuning } from './stored-fine-tuning.ts'
import type { SubmitJob } from './submit-job.ts'
import type { TrainingJobRow } from './training-job-row.ts'
import type { TrainingJobsStore } from './training-jobs-store.ts'

export interface SftJobRequest {
  /** Finds what it learns from, once the model may have another job. */
  findData: () => Promise<FoundTrainingData>
  /** A config that was checked. */
  config: SftConfig | null
  /** Address of the data, with which an equal request finds the same job; null for a separate job each time. */
  source: string | null
  repeat?: RepeatableRequest | undefined
  /** Null for a job that no client of OpenAI created. */
  fineTuning?: StoredFineTuning | null
}

export interface StartedSftJob {
  job: TrainingJobRow
  /** False: an earlier request made it. */
  isNew: boolean
}

/**
 * Starts a job of supervised fine-tuning or of preference optimization.
 * @throws ApiError 400 for an adapter that it cannot have or memory that it does not have, 429 when the model has as many jobs as it may
 */
export type StartSftJob = (context: Context, opened: OpenedModel, request: SftJobRequest) => Promise<StartedSftJob>

export interface StartSftJobDeps {
  store: Pick<TrainingJobsStore, 'create'>
  submit: SubmitJob
  findBase: FindBase
  findAdapter: FindAdapter
  checkMemory: CheckMemory
  assertFewJobs: AssertFewJobs
  newRow: NewRow
}

export function createStartSftJob({
  store,
  submit,
  findBase,
  findAdapter,
  checkMemory,
  assertFewJobs,
  newRow,
}: StartSftJobDeps): StartSftJob {
  return async (context, { model, project }, { findData, config, source, repeat, fineTuning = null }) => {
    const base = await findBase(model)
    const adapter = await findAdapter(context, { base, modelId: model.id, ...adapterRequestOf(config ?? {}) })
    await assertFewJobs(context, model)
    const data = await findData()
    await checkMemory.ofSft(context, { base, adapter, config: config ?? {}, data: data.stat })
    const row = {
      ...newRow(model, context, data.stat),
      kind: 'sft',
      config,
      source,
      fine_tuning_request: fineTuning,
    } as TrainingJobRow
    const job = await data.keep(project, () => store.create(project, row, repeat))
    await submit(project, job)
    return { job, isNew: job.id === row.id }
  }
}
