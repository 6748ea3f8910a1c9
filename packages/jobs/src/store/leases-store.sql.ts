import type { Database } from '@heddle/datastore'
import { finishedStates, lockQueue, settleJob } from './job-states-store.sql.ts'
import type { LeasesStore } from './jobs-store.ts'
import type { Lease } from './lease.ts'

const maxHeld = 10_000

export interface LeasesOptions {
  database: Database
  queue: string
}

/** All that a worker does with a lease that it or another holds. */
export function sqlLeasesStore({ database, queue }: LeasesOptions): Omit<LeasesStore, 'claim' | 'hasWaiting'> {
  const lastToken = (lease: Lease, from: Database) =>
    from.selectFrom('jobs').selectAll().where('number', '=', lease.number).where('lease_token', '=', lease.token)
  const held = ({ number, token }: Lease, from: Database) =>
    from.updateTable('jobs').where('number', '=', number).where('lease_token', '=', token).where('state', '=', 'running')

  return {
    async heartbeat(lease, progress) {
      const row = await held(lease, database)
        .set((set) => ({ lease_heartbeat: set('lease_heartbeat', '+', 1), ...(progress !== undefined && { progress }) }))
        .returning('cancel_requested_at')
        .executeTakeFirst()
      return row ? { isCancelRequested: row.cancel_requested_at !== null } : null
    },

    async saveState(lease, state) {
      const row = await held(lease, database)
        .set((set) => ({ lease_heartbeat: set('lease_heartbeat', '+', 1), saved_state: state }))
        .returning('number')
        .executeTakeFirst()
      return row !== undefined
    },

    commit: (lease, work) =>
      database.transaction().execute(async (transaction) => {
        // Its row is locked until the commit, so that the lease cannot be taken away meanwhile.
        const row = await held(lease, transaction)
          .set((set) => ({ lease_heartbeat: set('lease_heartbeat', '+', 1) }))
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
        .select(['number', 'lease_token', 'lease_heartbeat', 'lease_owner', 'attempt', 'max_attempts'])
        .where('queue', '=', queue)
        .where('state', '=', 'running')
        .orderBy('number')
        .limit(maxHeld)
        .execute()
      return rows.map((row) => ({
        number: row.number,
        token: row.lease_token,
        heartbeat: row.lease_heartbeat,
        owner: row.lease_owner,
        attempt: row.attempt,
        maxAttempts: row.max_attempts,
      }))
    },

    async expire(last, outcome, at) {
      const place = await lastToken(last, database).clearSelect().select(['queue', 'project_id']).executeTakeFirst()
      if (!place) return false
      return database.transaction().execute(async (transaction) => {
        await lockQueue(transaction, place)
        // The new token prevents writes of the former holder from being attributed to the outcome.
        const taken = await held(last, transaction)
          .set((set) => ({ lease_token: set('lease_token', '+', 1) }))
          .where('lease_heartbeat', '=', last.heartbeat)
          .returningAll()
          .executeTakeFirst()
        if (taken) await settleJob(transaction, taken, outcome, at)
        return taken !== undefined
      })
    },
  }
}
