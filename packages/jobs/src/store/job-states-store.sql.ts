import { type Database, invariant, type Micros, type Tables } from '@heddle/datastore'
import type { Selectable } from 'kysely'
import type { Outcome } from './lease.ts'

export type StoredJob = Selectable<Tables['jobs']>
type ProjectQueue = Selectable<Tables['job_queues']>
type Counts = Pick<ProjectQueue, 'waiting' | 'running' | 'finished'>

/** States as rows have them: a held job is queued for its users, and not for workers. */
export const waitingStates = ['queued', 'blocked']
export const finishedStates = ['succeeded', 'failed', 'cancelled']

/** Which queue of which project a statement is about. */
export interface QueueOfProject {
  queue: string
  project_id: string
}

/**
 * Locks the queue of a project until the transaction ends. Every change of a job's state does so first, which keeps the counts and the order of
 * serial keys exact, and numbers jobs in the order of their commits.
 */
export function lockQueue(transaction: Database, { queue, project_id }: QueueOfProject): Promise<ProjectQueue> {
  return transaction
    .insertInto('job_queues')
    .values({ queue, project_id, waiting: 0, running: 0, finished: 0, last_claim: 0 })
    .onConflict((conflict) => conflict.columns(['queue', 'project_id']).doUpdateSet((set) => ({ waiting: set.ref('job_queues.waiting') })))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Adds to the counts of a project. */
export async function addToCounts(transaction: Database, { queue, project_id }: QueueOfProject, by: Partial<Counts>): Promise<void> {
  const { waiting = 0, running = 0, finished = 0 } = by
  const counts = await transaction
    .updateTable('job_queues')
    .set((set) => ({
      waiting: set('waiting', '+', waiting),
      running: set('running', '+', running),
      finished: set('finished', '+', finished),
    }))
    .where('queue', '=', queue)
    .where('project_id', '=', project_id)
    .returning(['waiting', 'running', 'finished'])
    .executeTakeFirst()
  const isPossible = counts !== undefined && counts.waiting >= 0 && counts.running >= 0 && counts.finished >= 0
  invariant(isPossible, 'jobs.counts-are-not-negative', () => `${queue} of ${project_id}: ${JSON.stringify(counts)}`)
}

/** Ends what a job is doing. The queue of its project is locked. */
export async function settleJob(transaction: Database, job: StoredJob, outcome: Outcome, at: Micros): Promise<void> {
  invariant(!finishedStates.includes(job.state), 'jobs.end-once', () => `job ${job.id} is ${job.state}`)
  const wasRunning = job.state === 'running'
  if (outcome.state === 'queued' && job.cancel_requested_at === null) {
    await transaction.updateTable('jobs').set(queuedAgain(job, outcome)).where('number', '=', job.number).execute()
    await addToCounts(transaction, job, { waiting: 1, running: -1 })
    return
  }
  await transaction
    .updateTable('jobs')
    .set(ended(job, outcome, at))
    .where('number', '=', job.number)
    .execute()
  await addToCounts(transaction, job, { waiting: wasRunning ? 0 : -1, running: wasRunning ? -1 : 0, finished: 1 })
  if (job.serial_key !== null && job.state !== 'blocked') await releaseNext(transaction, job, job.serial_key)
}

function queuedAgain(job: StoredJob, outcome: Extract<Outcome, { state: 'queued' }>) {
  const { runAfter, error, isRefunded } = outcome
  return {
    state: 'queued',
    run_after: runAfter,
    error: error ?? job.error,
    attempt: isRefunded ? job.attempt - 1 : job.attempt,
    lease_owner: null,
  }
}

/** A job that was to be queued again got here since its cancellation was requested. */
function ended(job: StoredJob, outcome: Outcome, at: Micros) {
  const error = outcome.state === 'succeeded' ? null : outcome.state === 'failed' ? outcome.error : job.error
  return {
    state: outcome.state === 'queued' ? 'cancelled' : outcome.state,
    result: outcome.state === 'succeeded' ? outcome.result : null,
    error,
    lease_owner: null,
    saved_state: null,
    ended_at: at,
  }
}

/** Makes the next job of a serial key ready. */
async function releaseNext(transaction: Database, { queue, project_id }: QueueOfProject, serialKey: string): Promise<void> {
  const next = await transaction
    .selectFrom('jobs')
    .select('number')
    .where('queue', '=', queue)
    .where('project_id', '=', project_id)
    .where('serial_key', '=', serialKey)
    .where('state', '=', 'blocked')
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  if (next) await transaction.updateTable('jobs').set({ state: 'queued' }).where('number', '=', next.number).execute()
}
