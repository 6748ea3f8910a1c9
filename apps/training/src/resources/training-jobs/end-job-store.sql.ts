import { type Database, releaseBlobs } from '@heddle/datastore'
import { inputHolder, recoveryHolder } from '../../blob-holders.ts'
import type { JobEnd } from './training-jobs-store.ts'

/** Ends a job that has not ended, with its last event. False when it had: it stays as it is. */
export async function endJob(transaction: Database, end: JobEnd): Promise<boolean> {
  const { id, status, error, message = null, step = null, at, eventId } = end
  const { numUpdatedRows } = await transaction
    .updateTable('training_jobs')
    .set({ status, error, message, step, ended_at: at, ...(status !== 'succeeded' && { source: null }) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await releaseBlobs(transaction, inputHolder(id))
  await releaseBlobs(transaction, recoveryHolder(id))
  const { last } = await transaction
    .selectFrom('training_events')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .where('job_id', '=', id)
    .executeTakeFirstOrThrow()
  const type = status === 'succeeded' ? 'training_ended' : 'training_failed'
  const data = JSON.stringify(status === 'succeeded' ? {} : { error_message: error })
  await transaction
    .insertInto('training_events')
    .values({ job_id: id, seq: (last ?? -1) + 1, id: eventId, type, data, created_at: at })
    .execute()
  return true
}
