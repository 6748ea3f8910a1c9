import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { TrainingJobRow } from './training-job-row.ts'
import type { TrainingJobsStore } from './training-jobs-store.ts'

/** Starts of a job until it fails. */
const maxAttempts = 3

/** Puts a job into the queue, unless it is there or has ended. Repeatable. */
export type SubmitJob = (project: ProjectScope, job: TrainingJobRow) => Promise<void>

export function createSubmitJob({ jobs, store }: { jobs: Jobs; store: TrainingJobsStore }): SubmitJob {
  return async (project, { id, kind, model_id, queue_job_id, ended_at }) => {
    if (queue_job_id !== null || ended_at !== null) return
    const { job } = await jobs.enqueue(project, {
      kind,
      payload: { job_id: id },
      serialKey: model_id,
      idempotency: { key: `training-job:${id}` },
      maxAttempts,
    })
    await store.setQueueJob(project, id, job.id)
  }
}
