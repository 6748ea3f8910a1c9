import { notFound } from '@heddle/core-api/internal'
import { type Database, inParts, referenceBlobs, type RelationalStore } from '@heddle/datastore'
import { logHolder } from '../../blob-holders.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import { lockModel } from '../checkpoints/checkpoints-store.sql.ts'
import { noSuchModel } from '../models/open-model.ts'
import type { NewLog, TrajectoriesStore } from './trajectories-store.ts'

const batchSize = 100
const columns = ['id', 'model_id', 'split', 'step', 'sha256', 'first_byte', 'last_byte', 'created_at'] as const

export function sqlTrajectoriesStore(
  database: RelationalStore,
  { repeats, checkpoints }: { repeats: RepeatsStore; checkpoints: Pick<CheckpointsStore, 'addLogged'> },
): TrajectoriesStore {
  return {
    log: (project, log) =>
      database
        .of(project)
        .transaction()
        .execute(async (transaction) => {
          if (!(await lockModel(transaction, log.modelId))) throw noSuchModel(log.modelId)
          await repeats.once(transaction, log.repeat, log.at, async () => {
            const newest = await findNewest(transaction, log.modelId)
            await insertGroups(transaction, log, newest.step)
            await checkpoints.addLogged(transaction, newest.id, log)
            await referenceBlobs(transaction, logHolder(log.modelId), [log.sha256])
            return null
          })
        }),

    async list(work, modelId, { split, step, groupId, name, after, limit }) {
      const groups = database.of(work).selectFrom('trajectory_groups').selectAll().where('model_id', '=', modelId)
      let query = groups
      if (split !== null) query = query.where('split', '=', split)
      if (step !== null) query = query.where('step', '=', step)
      if (groupId !== null) query = query.where('id', '=', groupId)
      for (const { kind, name: text } of name) {
        query = query.where('id', 'in', (inner) =>
          inner
            .selectFrom('trajectory_names')
            .select('group_id')
            .where('model_id', '=', modelId)
            .where('kind', '=', kind)
            .where('name', '=', text),
        )
      }
      if (after !== null) {
        const last = after.includes('\0') ? undefined : await groups.where('id', '=', after).executeTakeFirst()
        if (!last) throw notFound(`after: trajectory group ${JSON.stringify(after.slice(0, 100))} was not found in this model`)
        query = query.where('number', '<', last.number)
      }
      const rows = await query.clearSelect().select(columns).orderBy('number', 'desc').limit(limit).execute()
      return rows.map((row) => ({ ...row, first_byte: Number(row.first_byte), last_byte: Number(row.last_byte) }))
    },
  }
}

function findNewest(transaction: Database, modelId: string): Promise<{ id: string; step: number }> {
  return transaction
    .selectFrom('checkpoints')
    .select(['id', 'step'])
    .where('model_id', '=', modelId)
    .where('deleted_at', 'is', null)
    .orderBy('step', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

async function insertGroups(transaction: Database, { groups, modelId }: NewLog, step: number): Promise<void> {
  for (const batch of inParts(groups, batchSize)) {
    await transaction
      .insertInto('trajectory_groups')
      .values(batch.map(({ row }) => ({ ...row, step })))
      .execute()
    const names = batch.flatMap(({ row, names }) => names.map((name) => ({ ...name, model_id: modelId, group_id: row.id })))
    for (const some of inParts(names, batchSize)) {
      await transaction
        .insertInto('trajectory_names')
        .values(some)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}
