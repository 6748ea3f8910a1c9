import { type Database, type RelationalKind, relationalKind } from '@heddle/datastore'
import { addToCounts, finishedStates, lockQueue, settleJob } from './job-states-store.sql.ts'
import type { Claim, LeasesStore } from './jobs-store.ts'
import type { ClaimedJob, Lease } from './lease.ts'

const maxHeld = 10_000

export interface LeasesOptions {
  database: Database
  queue: string
}

export function sqlLeasesStore({ database, queue }: LeasesOptions): LeasesStore {
  const kind = relationalKind(database)
  const lastToken = (lease: Lease, from: Database) =>
    from.selectFrom('jobs').selectAll().where('number', '=', lease.number).where('lease_token', '=', lease.token)
  const held = ({ number, token }: Lease, from: Database) =>
    from.updateTable('jobs').where('number', '=', number).where('lease_token', '=', token).where('state', '=', 'running')

  return {
    async claim(claim) {
      // A project whose queue another server has locked is skipped; only where there is no other its lock is waited for.
      const claimed = await claimOne(database, { queue, claim, kind, skipsLocked: true })
      if (claimed !== undefined || kind === 'sqlite') return claimed
      return claimOne(database, { queue, claim, kind, skipsLocked: false })
    },

    async beat(lease, progress) {
      const row = await held(lease, database)
        .set((set) => ({ lease_beat: set('lease_beat', '+', 1), ...(progress !== undefined && { progress }) }))
        .returning('cancel_requested_at')
        .executeTakeFirst()
      return row ? { isCancelRequested: row.cancel_requested_at !== null } : null
    },

    async saveState(lease, state) {
      const row = await held(lease, database)
        .set((set) => ({ lease_beat: set('lease_beat', '+', 1), saved_state: state }))
        .returning('number')
        .executeTakeFirst()
      return row !== undefined
    },

    commit: (lease, work) =>
      database.transaction().execute(async (transaction) => {
        // Its row is locked until the commit, so that nobody takes the lease away meanwhile.
        const row = await held(lease, transaction)
          .set((set) => ({ lease_beat: set('lease_beat', '+', 1) }))
          .returning('number')
          .executeTakeFirst()
        return row ? { value: await work(transaction) } : null
      }),

    async settle(lease, outcome, at) {
      const place = await lastToken(lease, database).clearSelect().select(['queue', 'project_id']).executeTakeFirst()
      if (!place) return false
      return database.transaction().execute(async (transaction) => {
        await lockQueue(transaction, place)
        const job = await lastToken(lease, transaction).executeTakeFirst()
        if (job?.state !== 'running') return job !== undefined && finishedStates.includes(job.state)
        await settleJob(transaction, job, outcome, at)
        return true
      })
    },

    async listHeld() {
      const rows = await database
        .selectFrom('jobs')
        .select(['number', 'lease_token', 'lease_beat', 'lease_owner', 'attempt', 'max_attempts'])
        .where('queue', '=', queue)
        .where('state', '=', 'running')
        .orderBy('number')
        .limit(maxHeld)
        .execute()
      return rows.map((row) => ({
        number: row.number,
        token: row.lease_token,
        beat: row.lease_beat,
        owner: row.lease_owner,
        attempt: row.attempt,
        maxAttempts: row.max_attempts,
      }))
    },

    async takeAway(last, outcome, at) {
      const place = await lastToken(last, database).clearSelect().select(['queue', 'project_id']).executeTakeFirst()
      if (!place) return false
      return database.transaction().execute(async (transaction) => {
        await lockQueue(transaction, place)
        // With a new token no write of the holder is taken for one of the outcome.
        const taken = await held(last, transaction)
          .set((set) => ({ lease_token: set('lease_token', '+', 1) }))
          .where('lease_beat', '=', last.beat)
          .returningAll()
          .executeTakeFirst()
        if (taken) await settleJob(transaction, taken, outcome, at)
        return taken !== undefined
      })
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
      .executeTakeFirst()
    if (!next) return undefined
    const { at, owner } = from.claim
    const job = await transaction
      .updateTable('jobs')
      .set((set) => ({
        state: 'running',
        attempt: set('attempt', '+', 1),
        lease_token: set('lease_token', '+', 1),
        lease_beat: 0,
        lease_owner: owner,
        started_at: set.fn.coalesce('started_at', set.val(at)),
      }))
      .where('number', '=', next.number)
      .returningAll()
      .executeTakeFirstOrThrow()
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
    .where('run_after', '<=', claim.at)
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
