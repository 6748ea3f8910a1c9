import { conflict, tooManyRequests } from '@heddle/core-api/internal'
import { type Database, inParts, type Tables } from '@heddle/datastore'
import type { Insertable } from 'kysely'
import type { EnqueuedJob } from '../job.ts'
import { addToCounts, lockQueue, type QueueOfProject } from './job-states-store.sql.ts'
import type { JobRow } from './jobs-store.ts'
import { summaryColumns, toSummary } from './stored-jobs-store.sql.ts'

/** Rows or keys in one statement. */
const valuesAtOnce = 100
const fullQueueRetrySeconds = 30

/** Enqueues all rows or none, in their own transaction. @throws as `ProjectJobsStore.enqueue` */
export async function enqueue(
  transaction: Database,
  rows: readonly JobRow[],
  { maxWaiting, ...place }: QueueOfProject & { maxWaiting: number },
): Promise<EnqueuedJob[]> {
  const { waiting } = await lockQueue(transaction, place)
  const known = await findByKeys(transaction, place, rows)
  const added = newRows(rows, known)
  if (waiting + added.length > maxWaiting) throw queueFull(place.project_id, { waiting, added: added.length, maxWaiting })
  await releaseKeys(transaction, added, known)
  const taken = await unfinishedSerialKeys(transaction, place, added)
  await insertJobs(
    transaction,
    added.map((row) => toStored(row, place, taken)),
  )
  if (added.length > 0) await addToCounts(transaction, place, { waiting: added.length })
  return results(transaction, rows, { known, added })
}

function queueFull(projectId: string, { waiting, added, maxWaiting }: { waiting: number; added: number; maxWaiting: number }) {
  return tooManyRequests(
    `${waiting} jobs of project ${JSON.stringify(projectId)} wait, and ${added} more would be above ${maxWaiting}; try again when some have ended`,
    fullQueueRetrySeconds,
  )
}

interface KnownJob {
  id: string
  number: number
  state: string
  fingerprint: string | null
}

/** The stored jobs with idempotency keys of these rows, by key. */
async function findByKeys(transaction: Database, { queue, project_id }: QueueOfProject, rows: readonly JobRow[]) {
  const found = new Map<string, KnownJob>()
  for (const keys of inParts(distinct(rows.map(({ idempotencyKey }) => idempotencyKey)), valuesAtOnce)) {
    const jobs = await transaction
      .selectFrom('jobs')
      .select(['idempotency_key', 'id', 'number', 'state', 'fingerprint'])
      .where('queue', '=', queue)
      .where('project_id', '=', project_id)
      .where('idempotency_key', 'in', keys)
      .execute()
    for (const { idempotency_key, ...job } of jobs) if (idempotency_key !== null) found.set(idempotency_key, job)
  }
  return found
}

const isReleased = (row: JobRow, known: KnownJob) => row.isReleasedByFailure && (known.state === 'failed' || known.state === 'cancelled')

/** The rows that duplicate neither a stored job nor an earlier row. @throws ApiError 409 for a key with other content */
function newRows(rows: readonly JobRow[], known: ReadonlyMap<string, KnownJob>): JobRow[] {
  const added: JobRow[] = []
  const fingerprints = new Map<string, string | null>()
  for (const row of rows) {
    const key = row.idempotencyKey
    const stored = key === null ? undefined : known.get(key)
    const isStored = stored !== undefined && !isReleased(row, stored)
    const before = key === null ? undefined : isStored ? stored.fingerprint : fingerprints.get(key)
    if (before === undefined) added.push(row)
    else if (before !== row.fingerprint)
      throw conflict(`idempotency key ${JSON.stringify(key)} belongs to a job with other content; use a new key for new content`)
    if (key !== null) fingerprints.set(key, row.fingerprint)
  }
  return added
}

/** Takes their keys from the failed jobs that new ones follow. */
async function releaseKeys(transaction: Database, added: readonly JobRow[], known: ReadonlyMap<string, KnownJob>): Promise<void> {
  const numbers = added.flatMap(({ idempotencyKey }) => (idempotencyKey === null ? [] : (known.get(idempotencyKey)?.number ?? [])))
  for (const some of inParts(numbers, valuesAtOnce))
    await transaction.updateTable('jobs').set({ idempotency_key: null }).where('number', 'in', some).execute()
}

/** The serial keys of these rows under which a job waits or runs. */
async function unfinishedSerialKeys(transaction: Database, { queue, project_id }: QueueOfProject, rows: readonly JobRow[]) {
  const taken = new Set<string>()
  for (const keys of inParts(distinct(rows.map(({ serialKey }) => serialKey)), valuesAtOnce)) {
    const jobs = await transaction
      .selectFrom('jobs')
      .select('serial_key')
      .where('queue', '=', queue)
      .where('project_id', '=', project_id)
      .where('serial_key', 'in', keys)
      // At most one job of a serial key is queued or running; blocked ones wait for it.
      .where('state', 'in', ['queued', 'running'])
      .execute()
    for (const { serial_key } of jobs) if (serial_key !== null) taken.add(serial_key)
  }
  return taken
}

/** `taken` gets the serial key of the row. */
function toStored(row: JobRow, place: QueueOfProject, taken: Set<string>): Insertable<Tables['jobs']> {
  const isBlocked = row.serialKey !== null && taken.has(row.serialKey)
  if (row.serialKey !== null) taken.add(row.serialKey)
  return {
    ...place,
    id: row.id,
    kind: row.kind,
    state: isBlocked ? 'blocked' : 'queued',
    serial_key: row.serialKey,
    idempotency_key: row.idempotencyKey,
    fingerprint: row.fingerprint,
    payload: row.payload,
    run_after: row.runAfter,
    attempt: 0,
    max_attempts: row.maxAttempts,
    lease_token: 0,
    lease_heartbeat: 0,
    created_at: row.createdAt,
  }
}

async function insertJobs(transaction: Database, rows: readonly Insertable<Tables['jobs']>[]): Promise<void> {
  for (const some of inParts(rows, valuesAtOnce)) await transaction.insertInto('jobs').values(some).execute()
}

/** A job for each row, in their order. */
async function results(
  transaction: Database,
  rows: readonly JobRow[],
  { known, added }: { known: ReadonlyMap<string, KnownJob>; added: readonly JobRow[] },
): Promise<EnqueuedJob[]> {
  const isNew = new Set(added)
  const idOfKey = new Map([...known].map(([key, { id }]) => [key, id]))
  for (const { idempotencyKey, id } of added) if (idempotencyKey !== null) idOfKey.set(idempotencyKey, id)
  const idOf = (row: JobRow) => (row.idempotencyKey === null ? row.id : (idOfKey.get(row.idempotencyKey) ?? row.id))
  const found = new Map<string, EnqueuedJob['job']>()
  for (const ids of inParts(distinct(rows.map(idOf)), valuesAtOnce)) {
    const jobs = await transaction.selectFrom('jobs').select(summaryColumns).where('id', 'in', ids).execute()
    for (const job of jobs) found.set(job.id, toSummary(job))
  }
  return rows.map((row) => {
    const job = found.get(idOf(row))
    if (!job) throw new Error(`job ${row.id} was neither enqueued nor found`)
    return { job, isNew: isNew.has(row) }
  })
}

function distinct(values: readonly (string | null)[]): string[] {
  return [...new Set(values)].filter((value) => value !== null)
}
