import type { Database, ScopedDatabase } from '@heddle/datastore'
import { enqueue } from './enqueue-store.sql.ts'
import { lockQueue, settleJob, waitingStates } from './job-states-store.sql.ts'
import type { ProjectJobsStore } from './jobs-store.ts'
import { sqlStoredJobs, summaryColumns, toSummary } from './stored-jobs-store.sql.ts'

export interface ProjectJobsOptions {
  database: ScopedDatabase
  queue: string
  /** Jobs of a project that may wait. */
  maxWaiting: number
}

export function sqlProjectJobsStore({ database, queue, maxWaiting }: ProjectJobsOptions): ProjectJobsStore {
  return {
    ...sqlStoredJobs(database, queue),

    enqueue: (project, rows) =>
      database
        .of(project)
        .transaction()
        .execute((transaction) => enqueue(transaction, rows, { queue, project_id: project.id, maxWaiting })),

    cancel: (project, id, at) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (id.includes('\0')) return undefined
          await lockQueue(transaction, { queue, project_id: project.id })
          const jobs = transaction.selectFrom('jobs').where('queue', '=', queue).where('project_id', '=', project.id).where('id', '=', id)
          const job = await jobs.selectAll().executeTakeFirst()
          if (!job) return undefined
          if (waitingStates.includes(job.state)) {
            await requestCancel(transaction, job.number, at)
            await settleJob(transaction, job, { state: 'cancelled' }, at)
          } else if (job.state === 'running' && job.cancel_requested_at === null) await requestCancel(transaction, job.number, at)
          return toSummary(await jobs.select(summaryColumns).executeTakeFirstOrThrow())
        }),
  }
}

async function requestCancel(transaction: Database, number: number, at: number): Promise<void> {
  await transaction.updateTable('jobs').set({ cancel_requested_at: at }).where('number', '=', number).execute()
}
