import type { RelationalStore } from '@heddle/datastore'

/** Tables that the service alone writes, and whose rows it sweeps, serves or works on. What belongs to a model is in none without its model. */
const ownTables = [
  'trained_models',
  'training_data',
  'training_files',
  'artifact_uploads',
  'repeated_requests',
  'model_responses',
  'released_blobs',
] as const

/** True when the store holds anything that the training service works on, even without a request: models, uploads, answers, or jobs of its queue. */
export async function hasStoredWork(database: RelationalStore, queue = 'training'): Promise<boolean> {
  const found = await database
    .selectNoFrom((one) => [
      one.exists(one.selectFrom('jobs').select('id').where('queue', '=', queue)).as('jobs'),
      ...ownTables.map((table) => one.exists(one.selectFrom(table).select(one.lit(1).as('row'))).as(table)),
    ])
    .executeTakeFirstOrThrow()
  return Object.values(found).some(Boolean)
}
