import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { openOrHide } from '../models/open-model.ts'
import type { TrainingJobRow } from './training-job-row.ts'
import type { TrainingJobsStore } from './training-jobs-store.ts'

export interface OpenedJob {
  job: TrainingJobRow
  project: ProjectScope
}

/** Finds a job by its id and opens its project. @throws ApiError 404 also when the key may not use the project */
export type OpenJob = (context: Context, id: string) => Promise<OpenedJob>

export function createOpenJob(store: Pick<TrainingJobsStore, 'find'>): OpenJob {
  return async (context, id) => {
    const job = await store.find(context.work, id)
    const project = job && (await openOrHide(context, job.project_id))
    if (!project) throw notFound(`training job ${JSON.stringify(id.slice(0, 100))} was not found`)
    return { job, project }
  }
}
