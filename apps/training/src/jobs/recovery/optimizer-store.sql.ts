import { referenceBlobs, releaseBlobsAtOnce, type RelationalStore } from '@heddle/datastore'
import { optimizerHolder } from '../../blob-holders.ts'
import type { OptimizerState, OptimizerStore } from './optimizer-store.ts'

export function sqlOptimizerStore(database: RelationalStore): OptimizerStore {
  return {
    async find(work, modelId) {
      const models = database.of(work).selectFrom('trained_models').select('optimizer_state')
      const row = await models.where('id', '=', modelId).executeTakeFirst()
      return row?.optimizer_state == null ? undefined : (JSON.parse(row.optimizer_state) as OptimizerState)
    },

    async replace(transaction, modelId, state) {
      const digests = Object.values(state.files).map(({ digest }) => digest)
      await transaction
        .updateTable('trained_models')
        .set({ optimizer_state: JSON.stringify(state) })
        .where('id', '=', modelId)
        .execute()
      await releaseBlobsAtOnce(transaction, optimizerHolder(modelId), digests)
      await referenceBlobs(transaction, optimizerHolder(modelId), digests)
    },
  }
}
