import { randomUUID } from 'node:crypto'
import { type Database, inParts } from '@heddle/datastore'
import { checkpointHolder, logHolder, recordedHolder } from '../../../blob-holders.ts'

/** Writes checkpoints, logged and recorded trajectories of a model straight into the tables, so many of each, and what holds their blobs. */
export async function fillModel(database: Database, model_id: string, count: number): Promise<void> {
  const at = { created_at: 1 }
  const numbers = Array.from({ length: count }, (_, n) => n + 1)
  const checkpoints = numbers.map((step) => ({ id: randomUUID(), model_id, step, metrics: '{}', files: '{}', job_id: null, ...at }))
  const open = { deleted_at: null, kept_at: null, kept_by: null }
  const trajectories = numbers.map((n) => ({
    project_id: 'p',
    model_id,
    id: `t${n}`,
    group_id: 'g',
    rollout_id: null,
    trace_id: null,
    ...at,
  }))
  const recorded = { status: 'finished', calls: 1, bytes: 1, outcome: null, touched_at: 1e15, finished_at: 1 } as const
  const calls = numbers.map((n) => ({ model_id, trajectory_id: `t${n}`, seq: 0, key: null, is_replaced: 0 as const, base_seq: null }))
  const content = { digest: 'd', sha256: 's', started_at: 1 }
  const groups = numbers.map((step) => ({
    id: randomUUID(),
    model_id,
    split: 'train',
    step,
    sha256: 's',
    first_byte: 0,
    last_byte: 0,
    ...at,
  }))
  const names = numbers.map((n) => ({ model_id, kind: 'group', name: `n${n}`, group_id: `g${n}` }))
  const holders = [
    ...checkpoints.map(({ id }) => checkpointHolder(id)),
    ...trajectories.map(({ id }) => recordedHolder(model_id, id)),
    ...numbers.map(() => logHolder(model_id)),
  ].map((holder, n) => ({ holder, sha256: `${n}` }))
  for (const some of inParts(checkpoints))
    await database
      .insertInto('checkpoints')
      .values(some.map((row) => ({ ...row, ...open })))
      .execute()
  for (const some of inParts(trajectories))
    await database
      .insertInto('recorded_trajectories')
      .values(some.map((row) => ({ ...row, ...recorded })))
      .execute()
  for (const some of inParts(calls))
    await database
      .insertInto('recorded_calls')
      .values(some.map((row) => ({ ...row, ...content })))
      .execute()
  const reached = numbers.map((n) => ({ model_id, trajectory_id: `t${n}`, digest: `d${n}`, messages: 1, is_once: 0, is_continued: 0 }))
  for (const some of inParts(reached))
    await database
      .insertInto('recorded_conversations')
      .values(some.map((row) => ({ ...row, key_id: 'k' })))
      .execute()
  for (const some of inParts(groups)) await database.insertInto('trajectory_groups').values(some).execute()
  for (const some of inParts(names))
    await database
      .insertInto('trajectory_names')
      .values(some as never)
      .execute()
  for (const some of inParts(holders)) await database.insertInto('blob_references').values(some).execute()
}

/** How many rows of each table a model has. */
export async function countsOf(database: Database, modelId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [
    'checkpoints',
    'recorded_trajectories',
    'recorded_calls',
    'recorded_conversations',
    'trajectory_groups',
    'trajectory_names',
  ] as const) {
    const { count } = await database
      .selectFrom(table)
      .select((select) => select.fn.countAll().as('count'))
      .where('model_id', '=', modelId)
      .executeTakeFirstOrThrow()
    counts[table] = Number(count)
  }
  for (const like of [logHolder(modelId), recordedHolder(modelId, '%')]) {
    const { count } = await database
      .selectFrom('blob_references')
      .select((select) => select.fn.countAll().as('count'))
      .where('holder', 'like', like)
      .executeTakeFirstOrThrow()
    counts[like.split(':')[0]!] = Number(count)
  }
  return counts
}
