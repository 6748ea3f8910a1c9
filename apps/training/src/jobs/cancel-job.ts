import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { TrainingJobRow } from '../resources/training-jobs/training-job-row.ts'
import type { TrainingJobsStore } from '../resources/training-jobs/training-jobs-store.ts'

export interface CancelJobDeps {
  jobs: Jobs
  store: TrainingJobsStore
  clock: () => Micros
  newId: () => string
}

/** Ends a waiting job immediately, and a running one soon. */
export function createCancelJob({ jobs, store, clock, newId }: CancelJobDeps) {
  return async (project: ProjectScope, { id, queue_job_id, ended_at }: TrainingJobRow): Promise<void> => {
    if (ended_at !== null) return
    const queued = queue_job_id === null ? undefined : await jobs.cancel(project, queue_job_id)
    if (queued?.state === 'running' || queued?.state === 'succeeded') return
    await store.endNow(project, { id, status: 'cancelled', error: 'the job was cancelled', at: clock(), eventId: newId() })
  }
}
