import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import type { JobsSearch, JobState } from '../../features/training/training-search.ts'

/** A job with its model, if that is among the loaded ones. */
export interface ListedJob {
  job: TrainingJob
  model: TrainedModel | undefined
}

const isInState = (job: TrainingJob, state: JobState | undefined) =>
  state === undefined || (state === 'active' ? isUnfinished(job) : job.status === 'failed')

export const countInState = (jobs: readonly TrainingJob[], state: JobState | undefined): number =>
  jobs.filter((job) => isInState(job, state)).length

/** The jobs that an address selects, in their order, with their models. */
export function listJobs(jobs: readonly TrainingJob[], models: readonly TrainedModel[], search: JobsSearch): ListedJob[] {
  const modelOf = new Map(models.map((model) => [model.id, model]))
  const text = search.text?.toLowerCase()
  return jobs
    .map((job): ListedJob => ({ job, model: modelOf.get(job.model_id) }))
    .filter(({ job, model }) => {
      if (!isInState(job, search.state) || (search.method !== undefined && job.kind !== search.method)) return false
      if (search.base !== undefined && model?.base_model !== search.base) return false
      return text === undefined || [model?.name ?? '', job.id].some((one) => one.toLowerCase().includes(text))
    })
}
