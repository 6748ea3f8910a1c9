import { type Database, referenceBlobs, releaseBlobs, type RelationalStore } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'
import { recordedHolder } from '../../blob-holders.ts'
import { parseExactly } from '../../json-text/parse-exactly.ts'
import { noSuchModel } from '../models/open-model.ts'
import { noSuchTrajectory } from './recorded-place.ts'
import type {
  ConversationPlace,
  NewCall,
  Outcome,
  RecordedCallRow,
  RecordedFilter,
  RecordedTrajectoriesStore,
  RecordedTrajectoryRow,
} from './recorded-trajectories-store.ts'

const columns = [
  'number',
  'model_id',
  'id',
  'group_id',
  'rollout_id',
  'trace_id',
  'status',
  'calls',
  'outcome',
  'created_at',
  'finished_at',
] as const

/** Retries: an attempt fails only if another request has continued the conversation meanwhile. */
const attemptsToContinue = 10

/** Trajectories that one round of the sweep deletes. */
const sweepSize = 100

export function sqlRecordedTrajectoriesStore(database: RelationalStore): RecordedTrajectoriesStore {
  const find = async (on: Database, modelId: string, id: string) => {
    const row = await trajectoriesOf(on, modelId).select(columns).where('id', '=', id).executeTakeFirst()
    return row && toRow(row)
  }

  return {
    find: (work, modelId, id) => find(database.of(work), modelId, id),

    async list(work, modelId, { status, trace_id: traceId, after, limit, ...which }) {
      let query = matching(trajectoriesOf(database.of(work), modelId), which).select(columns)
      if (status !== null) query = query.where('status', '=', status)
      if (traceId !== null) query = query.where('trace_id', '=', traceId)
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await find(database.of(work), modelId, after)
        if (!last) throw noSuchTrajectory(after)
        query = query.where('number', '>', last.number)
      }
      return (await query.orderBy('number').limit(limit).execute()).map(toRow)
    },

    async groupSize(work, modelId, groupId) {
      const { trajectories, bytes } = await trajectoriesOf(database.of(work), modelId)
        .where('group_id', '=', groupId)
        .select(({ fn }) => [fn.countAll().as('trajectories'), fn.sum('bytes').as('bytes')])
        .executeTakeFirstOrThrow()
      return { trajectories: Number(trajectories), bytes: Number(bytes ?? 0) }
    },

    async findBase(work, { modelId, trajectoryId }, digests) {
      if (digests.length === 0) return undefined
      const rows = await callsOf(database.of(work), modelId, trajectoryId)
        .select(['seq', 'digest'])
        .where('digest', 'in', digests)
        .execute()
      const bySize = rows.toSorted((a, b) => digests.indexOf(b.digest) - digests.indexOf(a.digest))
      return bySize[0]
    },

    addCall: (project, call) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          const { modelId, trajectoryId } = call.place
          await assertModel(transaction, modelId)
          const seq = await claimSeq(transaction, project.id, call)
          if (seq === undefined) return find(transaction, modelId, trajectoryId)
          await replaceKeyed(transaction, call)
          await insertCall(transaction, call, seq)
          await insertConversations(transaction, call)
          return undefined
        }),

    async continueConversation(project, place, digests) {
      if (digests.length === 0) return undefined
      const db = database.of(project)
      for (let attempt = 0; attempt < attemptsToContinue; attempt++) {
        const found = await findConversation(db, place, digests)
        // Only one of several concurrent requests continues it.
        if (!found || found.is_continued === 1 || (await markContinued(db, place, found))) return found?.trajectory_id
      }
      return undefined
    },

    async listCalls(work, modelId, id) {
      const rows = await callsOf(database.of(work), modelId, id)
        .select(['seq', 'is_replaced', 'base_seq', 'sha256', 'started_at'])
        .orderBy('seq')
        .execute()
      return rows.map((row): RecordedCallRow => ({ ...row, is_replaced: row.is_replaced === 1, started_at: Number(row.started_at) }))
    },

    finish: (project, modelId, id, outcome, at) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          await transaction
            .updateTable('recorded_trajectories')
            .set({
              status: outcome.error === null ? 'finished' : 'failed',
              outcome: stringifyJson(outcome),
              touched_at: at,
              finished_at: at,
            })
            .where('model_id', '=', modelId)
            .where('id', '=', id)
            .where('status', '=', 'open')
            .execute()
          return find(transaction, modelId, id)
        }),

    async listGroups(work, modelId, { after, limit, ...which }) {
      const rows = await matching(trajectoriesOf(database.of(work), modelId), which)
        .select(({ fn }) => ['group_id', fn.min('number').as('first')])
        .where('status', '!=', 'open')
        .groupBy('group_id')
        .having(({ fn }) => fn.min('number'), '>', after)
        .orderBy('first')
        .limit(limit)
        .execute()
      return rows.map(({ group_id, first }) => ({ group_id, first: Number(first) }))
    },

    async listEnded(work, modelId, groupId, rolloutId) {
      const rows = await matching(trajectoriesOf(database.of(work), modelId), { group_id: groupId, rollout_id: rolloutId })
        .select(columns)
        .where('status', '!=', 'open')
        .orderBy('number')
        .execute()
      return rows.map(toRow)
    },

    delete: (project, modelId, id) =>
      database
        .of(project)
        .transaction()
        .execute((transaction) => deleteTrajectory(transaction, modelId, id)),

    sweep: (before) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('recorded_trajectories')
          .select(['model_id', 'id'])
          .where('touched_at', '<', before)
          .orderBy('touched_at')
          .limit(sweepSize)
          .execute()
        for (const { model_id, id } of rows) await deleteTrajectory(transaction, model_id, id)
        return rows.length
      }),
  }
}

const trajectoriesOf = (on: Database, modelId: string) => on.selectFrom('recorded_trajectories').where('model_id', '=', modelId)

const callsOf = (on: Database, modelId: string, id: string) =>
  on.selectFrom('recorded_calls').where('model_id', '=', modelId).where('trajectory_id', '=', id)

function matching(query: ReturnType<typeof trajectoriesOf>, { group_id: group, rollout_id: rollout }: RecordedFilter) {
  const inGroup = group === null ? query : query.where('group_id', '=', group)
  return rollout === null ? inGroup : inGroup.where('rollout_id', '=', rollout)
}

function toRow(row: Omit<RecordedTrajectoryRow, 'outcome' | 'status'> & { outcome: string | null; status: string }): RecordedTrajectoryRow {
  return {
    ...row,
    number: Number(row.number),
    status: row.status as RecordedTrajectoryRow['status'],
    outcome: row.outcome === null ? null : (parseExactly(row.outcome) as Outcome),
    created_at: Number(row.created_at),
    finished_at: row.finished_at === null ? null : Number(row.finished_at),
  }
}

async function assertModel(transaction: Database, modelId: string): Promise<void> {
  const model = await transaction.selectFrom('trained_models').select('id').where('id', '=', modelId).executeTakeFirst()
  if (!model) throw noSuchModel(modelId)
}

/** Creates the trajectory if necessary, and numbers the call in order of arrival. Undefined if the trajectory accepts no calls of this group and rollout. */
async function claimSeq(transaction: Database, projectId: string, { place, content, startedAt, at }: NewCall): Promise<number | undefined> {
  await transaction
    .insertInto('recorded_trajectories')
    .values({
      project_id: projectId,
      model_id: place.modelId,
      id: place.trajectoryId,
      group_id: place.groupId,
      rollout_id: place.rolloutId,
      trace_id: place.traceId,
      status: 'open',
      calls: 0,
      bytes: 0,
      outcome: null,
      created_at: startedAt,
      touched_at: at,
      finished_at: null,
    })
    .onConflict((onConflict) => onConflict.columns(['model_id', 'id']).doNothing())
    .execute()
  const row = await transaction
    .updateTable('recorded_trajectories')
    .set(({ eb, ref }) => ({ calls: eb('calls', '+', 1), bytes: eb(ref('bytes'), '+', content.sizeBytes), touched_at: at }))
    .where('model_id', '=', place.modelId)
    .where('id', '=', place.trajectoryId)
    .where('status', '=', 'open')
    .where('group_id', '=', place.groupId)
    .where('rollout_id', place.rolloutId === null ? 'is' : '=', place.rolloutId)
    .returning('calls')
    .executeTakeFirst()
  return row && row.calls - 1
}

/** A replaced call is kept, since other calls may refer to its messages. */
async function replaceKeyed(transaction: Database, { place, key }: NewCall): Promise<void> {
  if (key === null) return
  await transaction
    .updateTable('recorded_calls')
    .set({ is_replaced: 1 })
    .where('model_id', '=', place.modelId)
    .where('trajectory_id', '=', place.trajectoryId)
    .where('key', '=', key)
    .execute()
}

async function insertCall(transaction: Database, { place, key, baseSeq, digest, content, startedAt }: NewCall, seq: number): Promise<void> {
  await transaction
    .insertInto('recorded_calls')
    .values({
      model_id: place.modelId,
      trajectory_id: place.trajectoryId,
      seq,
      key,
      is_replaced: 0,
      base_seq: baseSeq,
      digest,
      sha256: content.digest,
      started_at: startedAt,
    })
    .execute()
  await referenceBlobs(transaction, recordedHolder(place.modelId, place.trajectoryId), [content.digest])
}

interface FoundConversation {
  digest: string
  trajectory_id: string
  is_continued: number
}

function findConversation(
  db: Database,
  { modelId, keyId, fullAt }: ConversationPlace,
  digests: readonly string[],
): Promise<FoundConversation | undefined> {
  return db
    .selectFrom('recorded_conversations as conversation')
    .innerJoin('recorded_trajectories as trajectory', (join) =>
      join.onRef('trajectory.model_id', '=', 'conversation.model_id').onRef('trajectory.id', '=', 'conversation.trajectory_id'),
    )
    .select(['conversation.digest', 'conversation.trajectory_id', 'conversation.is_continued'])
    .where('conversation.model_id', '=', modelId)
    .where('conversation.key_id', '=', keyId)
    .where('conversation.digest', 'in', digests)
    .where(({ or, eb }) => or([eb('conversation.is_once', '=', 0), eb('conversation.is_continued', '=', 0)]))
    .where('trajectory.status', '=', 'open')
    .where('trajectory.calls', '<', fullAt)
    .orderBy('conversation.messages', 'desc')
    .orderBy('conversation.is_continued')
    .orderBy('trajectory.number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function markContinued(db: Database, { modelId, keyId }: ConversationPlace, found: FoundConversation): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recorded_conversations')
    .set({ is_continued: 1 })
    .where('model_id', '=', modelId)
    .where('key_id', '=', keyId)
    .where('digest', '=', found.digest)
    .where('trajectory_id', '=', found.trajectory_id)
    .where('is_continued', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ignores a conversation that another call of the trajectory has already stored. */
async function insertConversations(transaction: Database, { place, conversations }: NewCall): Promise<void> {
  if (!conversations || conversations.reached.length === 0) return
  const { modelId: model_id, trajectoryId: trajectory_id } = place
  await transaction
    .insertInto('recorded_conversations')
    .values(
      conversations.reached.map(({ digest, messages, isOnce }) => ({
        model_id,
        key_id: conversations.keyId,
        digest,
        trajectory_id,
        messages,
        is_once: isOnce ? 1 : 0,
        is_continued: 0,
      })),
    )
    .onConflict((onConflict) => onConflict.columns(['model_id', 'key_id', 'digest', 'trajectory_id']).doNothing())
    .execute()
}

async function deleteTrajectory(transaction: Database, modelId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('recorded_trajectories')
    .where('model_id', '=', modelId)
    .where('id', '=', id)
    .executeTakeFirst()
  await transaction.deleteFrom('recorded_calls').where('model_id', '=', modelId).where('trajectory_id', '=', id).execute()
  await transaction.deleteFrom('recorded_conversations').where('model_id', '=', modelId).where('trajectory_id', '=', id).execute()
  await releaseBlobs(transaction, recordedHolder(modelId, id))
  return numDeletedRows > 0n
}
