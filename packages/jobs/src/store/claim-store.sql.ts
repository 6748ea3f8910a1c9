import { type Database, invariant, type RelationalKind, relationalKind } from '@heddle/datastore'
import { addToCounts } from './job-states-store.sql.ts'
import type { Claim, LeasesStore } from './jobs-store.ts'
import type { LeasesOptions } from './leases-store.sql.ts'
import type { ClaimedJob } from './lease.ts'
import { longestDelayMs } from '../retry-delay.ts'

/** Picks the job that runs next. */
export function sqlClaimStore({ database, queue }: LeasesOptions): Pick<LeasesStore, 'claim' | 'hasWaiting'> {
  const kind = relationalKind(database)
  return {
    async claim(claim) {
      // A project whose queue another server has locked is skipped; only if there is no other project, wait for its lock.
      const claimed = await claimOne(database, { queue, claim, kind, skipsLocked: true })
      if (claimed !== undefined || kind === 'sqlite') return claimed
      return claimOne(database, { queue, claim, kind, skipsLocked: false })
    },
    async hasWaiting() {
      const waiting = await database
        .selectFrom('job_queues')
        .select('project_id')
        .where('queue', '=', queue)
        .where('waiting', '>', 0)
        .limit(1)
        .executeTakeFirst()
      return waiting !== undefined
    },
  }
}

interface ClaimFrom {
  queue: string
  claim: Claim
  kind: RelationalKind
  skipsLocked: boolean
}

function claimOne(database: Database, from: ClaimFrom): Promise<ClaimedJob | undefined> {
  return database.transaction().execute(async (transaction) => {
    const place = await nextQueue(transaction, from)
    if (!place) return undefined
    const next = await dueJobs(transaction, from)
      .select('number')
      .where('project_id', '=', place.project_id)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst()
    if (!next) return undefined
    const { at, owner } = from.claim
    const job = await transaction
      .updateTable('jobs')
      .set((set) => ({
        state: 'running',
        attempt: set('attempt', '+', 1),
        lease_token: set('lease_token', '+', 1),
        lease_heartbeat: 0,
        lease_owner: owner,
        started_at: set.fn.coalesce('started_at', set.val(at)),
      }))
      .where('number', '=', next.number)
      .returningAll()
      .executeTakeFirstOrThrow()
    const isOfQueue = job.queue === from.queue && job.project_id === place.project_id
    invariant(isOfQueue, 'jobs.claims-stay-in-their-queue', () => `job ${job.id} is of ${job.queue} of ${job.project_id}`)
    await addToCounts(transaction, job, { waiting: -1, running: 1 })
    await noteClaim(transaction, job)
    return {
      number: job.number,
      token: job.lease_token,
      id: job.id,
      projectId: job.project_id,
      kind: job.kind,
      payload: job.payload,
      serialKey: job.serial_key,
      attempt: job.attempt,
      maxAttempts: job.max_attempts,
      savedState: job.saved_state,
      createdAt: job.created_at,
    }
  })
}

/** Jobs that may start now. */
function dueJobs(transaction: Database, { queue, claim }: ClaimFrom) {
  return transaction
    .selectFrom('jobs')
    .where('queue', '=', queue)
    .where('state', '=', 'queued')
    .where((where) =>
      where.or([
        where('run_after', 'is', null),
        where('run_after', '<=', claim.at),
        // No attempt waits so long for the next: the clock was set back since.
        where.and([where('attempt', '>', 0), where('run_after', '>', claim.at + longestDelayMs * 1000)]),
      ]),
    )
    .where('kind', 'in', claim.kinds)
}

/** The project whose turn it is, with its queue locked. */
function nextQueue(transaction: Database, from: ClaimFrom) {
  const { queue, claim, kind, skipsLocked } = from
  let query = transaction
    .selectFrom('job_queues')
    .select('job_queues.project_id')
    .where('job_queues.queue', '=', queue)
    .where('waiting', '>', 0)
    .where((where) =>
      where.exists(dueJobs(transaction, from).select('number').where('project_id', '=', where.ref('job_queues.project_id'))),
    )
    .orderBy('running')
    .orderBy('last_claim')
    .orderBy('job_queues.project_id')
    .limit(1)
  if (claim.except.length > 0) query = query.where('job_queues.project_id', 'not in', claim.except)
  if (kind === 'postgres') query = skipsLocked ? query.forUpdate('job_queues').skipLocked() : query.forUpdate('job_queues')
  return query.executeTakeFirst()
}

async function noteClaim(transaction: Database, { queue, project_id }: { queue: string; project_id: string }): Promise<void> {
  const last = await transaction
    .selectFrom('job_queues')
    .select('last_claim')
    .where('queue', '=', queue)
    .orderBy('last_claim', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('job_queues')
    .set({ last_claim: last.last_claim + 1 })
    .where('queue', '=', queue)
    .where('project_id', '=', project_id)
    .execute()
}
