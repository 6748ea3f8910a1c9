import type { Database, Micros } from '@heddle/datastore'
import type { EnqueuedJob, NewJob } from '../job.ts'
import { jobLimits } from '../job-limits.ts'
import { enqueue } from './enqueue-store.sql.ts'
import { toJobRow } from './job-row.ts'
import { waitingStates } from './job-states-store.sql.ts'

export interface TransactionalJobsOptions {
  queue: string
  clock: () => Micros
  newId: () => string
  /** Jobs of a project that may wait. Default 10,000. */
  maxWaiting?: number
}

/** Jobs that follow from another change of relational data: they are there if its transaction commits, and only then. */
export interface TransactionalJobs {
  /**
   * Holds the queue of the project until the transaction ends. @throws ApiError as `Jobs.enqueue`; the transaction can then continue without the job
   */
  enqueue(transaction: Database, projectId: string, job: NewJob): Promise<EnqueuedJob>
  /** Jobs of the project that wait or run and whose idempotency key begins with this text. */
  countUnfinished(transaction: Database, projectId: string, keyPrefix: string): Promise<number>
}

/** After a commit, `Jobs.expect` lets workers of this process find them sooner. */
export function sqlTransactionalJobs({
  queue,
  clock,
  newId,
  maxWaiting = jobLimits.waitingPerProject,
}: TransactionalJobsOptions): TransactionalJobs {
  return {
    async enqueue(transaction, projectId, job) {
      const row = toJobRow(job, { id: newId(), now: clock() })
      const [enqueued] = await enqueue(transaction, [row], { queue, project_id: projectId, maxWaiting })
      if (!enqueued) throw new Error('a job was enqueued and not found')
      return enqueued
    },

    async countUnfinished(transaction, projectId, keyPrefix) {
      const { jobs } = await transaction
        .selectFrom('jobs')
        .select(({ fn }) => fn.countAll<number | string>().as('jobs'))
        .where('queue', '=', queue)
        .where('project_id', '=', projectId)
        .where('state', 'in', [...waitingStates, 'running'])
        .where(({ fn, val, eb }) => eb(fn<string>('substr', ['idempotency_key', val(1), val(keyPrefix.length)]), '=', keyPrefix))
        .executeTakeFirstOrThrow()
      return Number(jobs)
    },
  }
}
