import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { SubmitJob } from '../resources/training-jobs/submit-job.ts'
import type { StrayJob, TrainingJobsStore } from '../resources/training-jobs/training-jobs-store.ts'

export interface SettleStrayJobsDeps {
  store: TrainingJobsStore
  submit: SubmitJob
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  clock: () => Micros
  newId: () => string
}

/** Longer than a request takes from the row of its job to the queue. */
const submitMicros = 10_000_000

/**
 * Ends jobs whose queue job has ended without them, since its attempts were used up or its server was killed, and enqueues those that were never
 * enqueued, so that every job has its last event. Resolves to their number.
 */
export function createSettleStrayJobs({ store, submit, openProject, clock, newId }: SettleStrayJobsDeps) {
  return async (signal: AbortSignal): Promise<number> => {
    const stray = await store.findStray(clock())
    for (const each of stray) {
      if (signal.aborted) break
      if (each.job.queue_job_id !== null) await store.endNow({ signal }, { id: each.job.id, at: clock(), eventId: newId(), ...endOf(each) })
      else if (each.job.created_at < clock() - submitMicros) await submit(await openProject(each.job.project_id, signal), each.job)
    }
    return stray.length
  }
}

function endOf({ queueState, queueError }: StrayJob): { status: 'failed' | 'cancelled'; error: string } {
  if (queueState === 'cancelled') return { status: 'cancelled', error: 'the job was cancelled' }
  if (queueState === null) return { status: 'failed', error: 'the job is gone from the queue of the server' }
  return { status: 'failed', error: queueError ?? 'the job ended without a checkpoint' }
}
