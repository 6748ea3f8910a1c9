import { type Database, referenceBlobs, releaseBlobs, type RelationalStore } from '@heddle/datastore'
import { responseHolder } from '../../blob-holders.ts'
import { noSuchModel } from '../models/open-model.ts'
import type { ResponseOwner, ResponsesStore, StoredResponseRow } from './responses-store.ts'

/** What is kept of one owner. */
export interface ResponseLimits {
  responses: number
  bytes: number
}

const defaultLimits: ResponseLimits = { responses: 10_000, bytes: 2 ** 30 }
/** Responses that one addition or one round of the sweep deletes. */
const deletedAtOnce = 100

export function sqlResponsesStore(database: RelationalStore, limits = defaultLimits): ResponsesStore {
  return {
    add: (work, row) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          if (row.model_id !== '') await assertModel(transaction, row.model_id)
          await transaction.insertInto('model_responses').values(row).execute()
          await referenceBlobs(transaction, responseHolder(row.model_id, row.id), [row.sha256])
          await deleteBeyondLimits(transaction, row, limits)
        }),

    async find(work, id) {
      const row = await database
        .of(work)
        .selectFrom('model_responses')
        .select(['id', 'project_id', 'model_id', 'user_id', 'sha256', 'size_bytes', 'created_at'])
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toRow(row)
    },

    delete: (work, id) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          const row = await transaction.selectFrom('model_responses').select('model_id').where('id', '=', id).executeTakeFirst()
          if (row) await deleteResponse(transaction, row.model_id, id)
          return row !== undefined
        }),

    sweep: (before) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('model_responses')
          .select(['model_id', 'id'])
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(deletedAtOnce)
          .execute()
        for (const { model_id, id } of rows) await deleteResponse(transaction, model_id, id)
        return rows.length
      }),
  }
}

const toRow = (row: StoredResponseRow): StoredResponseRow => ({
  ...row,
  size_bytes: Number(row.size_bytes),
  created_at: Number(row.created_at),
})

async function assertModel(transaction: Database, modelId: string): Promise<void> {
  const model = await transaction.selectFrom('trained_models').select('id').where('id', '=', modelId).executeTakeFirst()
  if (!model) throw noSuchModel(modelId)
}

const responsesOf = (transaction: Database, { model_id, user_id }: ResponseOwner) =>
  transaction.selectFrom('model_responses').where('model_id', '=', model_id).where('user_id', '=', user_id)

async function deleteBeyondLimits(transaction: Database, owner: StoredResponseRow, most: ResponseLimits): Promise<void> {
  const sums = await responsesOf(transaction, owner)
    .select(({ fn }) => [fn.countAll().as('responses'), fn.sum('size_bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  let [responses, bytes] = [Number(sums.responses), Number(sums.bytes ?? 0)]
  const areWithin = () => responses <= most.responses && bytes <= most.bytes
  if (areWithin()) return
  const oldest = await responsesOf(transaction, owner)
    .select(['id', 'size_bytes'])
    .where('id', '!=', owner.id)
    .orderBy('created_at')
    .limit(deletedAtOnce)
    .execute()
  for (const { id, size_bytes } of oldest) {
    if (areWithin()) return
    await deleteResponse(transaction, owner.model_id, id)
    responses -= 1
    bytes -= Number(size_bytes)
  }
}

async function deleteResponse(transaction: Database, modelId: string, id: string): Promise<void> {
  await releaseBlobs(transaction, responseHolder(modelId, id))
  await transaction.deleteFrom('model_responses').where('id', '=', id).execute()
}
