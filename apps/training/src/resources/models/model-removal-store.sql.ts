import { setImmediate } from 'node:timers/promises'
import type { Database, RelationalStore } from '@heddle/datastore'
import { checkpointHolder, logHolder, recordedHoldersOf, responseHoldersOf, tinkerHoldersOf } from '../../blob-holders.ts'
import type { ModelRemovalStore } from './model-removal-store.ts'

/** Rows of one transaction: it may block the thread. */
const rowsAtOnce = 1_000
/** Checkpoints of one transaction, each with some files. */
const checkpointsAtOnce = 100

export function sqlModelRemovalStore(database: RelationalStore): ModelRemovalStore {
  return {
    async removeSome(project, modelId) {
      // Blobs before the rows that name their holders.
      for (const remove of [
        removeRecordedReferences,
        removeRecordedCalls,
        removeConversations,
        removeRecorded,
        removeResponseReferences,
        removeResponses,
        removeTinkerReferences,
        removeTinkerWeights,
        removeTinkerRuns,
        removeLogReferences,
        removeGroups,
        removeNames,
        removeCheckpoints,
      ]) {
        const removed = await database
          .of(project)
          .transaction()
          .execute((transaction) => remove(transaction, modelId))
        if (removed > 0) return removed
        await setImmediate()
      }
      return 0
    },
  }
}

type Remove = (transaction: Database, modelId: string) => Promise<number>

const removeRecordedReferences: Remove = (transaction, modelId) => removeReferencesWithin(transaction, recordedHoldersOf(modelId))

const removeResponseReferences: Remove = (transaction, modelId) => removeReferencesWithin(transaction, responseHoldersOf(modelId))

const removeTinkerReferences: Remove = (transaction, modelId) => removeReferencesWithin(transaction, tinkerHoldersOf(modelId))

const removeReferencesWithin = (transaction: Database, { from, to }: { from: string; to: string }) =>
  removeReferences(transaction, (references) => references.where('holder', '>=', from).where('holder', '<', to))

const removeLogReferences: Remove = (transaction, modelId) =>
  removeReferences(transaction, (references) => references.where('holder', '=', logHolder(modelId)))

type References = ReturnType<typeof referencesOf>
const referencesOf = (transaction: Database) => transaction.selectFrom('blob_references').select(['holder', 'sha256'])

async function removeReferences(transaction: Database, choose: (references: References) => References): Promise<number> {
  const some = choose(referencesOf(transaction)).limit(rowsAtOnce).$asTuple('holder', 'sha256')
  const { numDeletedRows } = await transaction
    .deleteFrom('blob_references')
    .where(({ eb, refTuple }) => eb(refTuple('holder', 'sha256'), 'in', some))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeRecordedCalls: Remove = async (transaction, modelId) => {
  const some = transaction.selectFrom('recorded_calls').select(['trajectory_id', 'seq']).where('model_id', '=', modelId).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction
    .deleteFrom('recorded_calls')
    .where('model_id', '=', modelId)
    .where(({ eb, refTuple }) => eb(refTuple('trajectory_id', 'seq'), 'in', some.$asTuple('trajectory_id', 'seq')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeConversations: Remove = async (transaction, modelId) => {
  const key = ['key_id', 'digest', 'trajectory_id'] as const
  const some = transaction.selectFrom('recorded_conversations').select(key).where('model_id', '=', modelId).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction
    .deleteFrom('recorded_conversations')
    .where('model_id', '=', modelId)
    .where(({ eb, refTuple }) => eb(refTuple(...key), 'in', some.$asTuple(...key)))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeRecorded: Remove = async (transaction, modelId) => {
  const some = transaction.selectFrom('recorded_trajectories').select('number').where('model_id', '=', modelId).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction.deleteFrom('recorded_trajectories').where('number', 'in', some).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeResponses: Remove = async (transaction, modelId) => {
  const some = transaction.selectFrom('model_responses').select('id').where('model_id', '=', modelId).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction.deleteFrom('model_responses').where('id', 'in', some).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeTinkerWeights: Remove = async (transaction, modelId) => {
  const runs = transaction.selectFrom('tinker_runs').select('id').where('model_id', '=', modelId)
  const some = transaction.selectFrom('tinker_weights').select('id').where('run_id', 'in', runs).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction.deleteFrom('tinker_weights').where('id', 'in', some).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeTinkerRuns: Remove = async (transaction, modelId) => {
  const { numDeletedRows } = await transaction.deleteFrom('tinker_runs').where('model_id', '=', modelId).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeGroups: Remove = async (transaction, modelId) => {
  const some = transaction.selectFrom('trajectory_groups').select('number').where('model_id', '=', modelId).limit(rowsAtOnce)
  const { numDeletedRows } = await transaction.deleteFrom('trajectory_groups').where('number', 'in', some).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeNames: Remove = async (transaction, modelId) => {
  const some = transaction
    .selectFrom('trajectory_names')
    .select(['kind', 'name', 'group_id'])
    .where('model_id', '=', modelId)
    .limit(rowsAtOnce)
  const { numDeletedRows } = await transaction
    .deleteFrom('trajectory_names')
    .where('model_id', '=', modelId)
    .where(({ eb, refTuple }) => eb(refTuple('kind', 'name', 'group_id'), 'in', some.$asTuple('kind', 'name', 'group_id')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const removeCheckpoints: Remove = async (transaction, modelId) => {
  const rows = await transaction.selectFrom('checkpoints').select('id').where('model_id', '=', modelId).limit(checkpointsAtOnce).execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const released = await removeReferences(transaction, (references) => references.where('holder', 'in', ids.map(checkpointHolder)))
  if (released === rowsAtOnce) return released
  await transaction.deleteFrom('checkpoints').where('id', 'in', ids).execute()
  return released + ids.length
}
