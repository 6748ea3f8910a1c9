import { badRequest } from '@heddle/core-api/internal'
import { type Database, type Micros, referenceBlobs, releaseBlobsAtOnce, type RelationalStore } from '@heddle/datastore'
import { tinkerHolder } from '../../blob-holders.ts'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'
import { findUnfinishedJob, lockModel } from '../checkpoints/checkpoints-store.sql.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { ListedRun, ListedWeights, TinkerStore, ToSave, WeightsAddress, WeightsRow } from './tinker-store.ts'
import { toAddress } from './weights-address.ts'

/** Addresses that one round of the sweep removes. */
const sweptAtOnce = 100

type Metadata = Readonly<Record<string, string>> | null

export function sqlTinkerStore(database: RelationalStore, checkpoints: Pick<CheckpointsStore, 'insert'>): TinkerStore {
  return {
    async addRun(project, { user_metadata, ...row }) {
      await database
        .of(project)
        .insertInto('tinker_runs')
        .values({ ...row, user_metadata: user_metadata && JSON.stringify(user_metadata) })
        .execute()
    },

    async findRun(work, id) {
      const row = await runsOf(database.of(work)).where('tinker_runs.id', '=', id).executeTakeFirst()
      return row && toRun(row)
    },

    async listRuns(work, projectIds, { limit, offset }) {
      if (projectIds.length === 0) return { rows: [], total: 0 }
      const runs = runsOf(database.of(work)).where('tinker_runs.project_id', 'in', projectIds)
      const rows = await runs
        .orderBy('tinker_runs.created_at', 'desc')
        .orderBy('tinker_runs.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const { count } = await database
        .of(work)
        .selectFrom('tinker_runs')
        .innerJoin('trained_models', 'trained_models.id', 'tinker_runs.model_id')
        .select((select) => select.fn.countAll().as('count'))
        .where('tinker_runs.project_id', 'in', projectIds)
        .executeTakeFirstOrThrow()
      return { rows: rows.map(toRun), total: Number(count) }
    },

    save: (work, modelId, save) =>
      database
        .of(work)
        .transaction()
        .execute(async (transaction) => {
          if (!(await lockModel(transaction, modelId))) throw badRequest('the model was deleted; create another one')
          const step = save.checkpoint === null ? save.row!.step : await addCheckpoint(transaction, save.checkpoint, checkpoints)
          if (save.row) await addWeights(transaction, { ...save.row, step }, { modelId, overwrites: save.overwrites })
          return step
        }),

    async find(work, { run_id, kind, name }, now) {
      const row = await weightsOf(database.of(work), now)
        .where('tinker_weights.run_id', '=', run_id)
        .where('tinker_weights.kind', '=', kind)
        .where('tinker_weights.name', '=', name)
        .executeTakeFirst()
      return row && toWeights(row)
    },

    async listWeights(work, within, { limit, offset, now }) {
      const [column, ids] =
        'runIds' in within ? (['tinker_runs.id', within.runIds] as const) : (['tinker_runs.project_id', within.projectIds] as const)
      if (ids.length === 0) return { rows: [], total: 0 }
      const rows = await weightsOf(database.of(work), now)
        .where(column, 'in', ids)
        .orderBy('tinker_weights.created_at', 'desc')
        .orderBy('tinker_weights.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      const { count } = await weightsOf(database.of(work), now)
        .clearSelect()
        .select((select) => select.fn.countAll().as('count'))
        .where(column, 'in', ids)
        .executeTakeFirstOrThrow()
      return { rows: rows.map(toWeights), total: Number(count) }
    },

    remove: (work, address) =>
      database
        .of(work)
        .transaction()
        .execute((transaction) => removeWeights(transaction, address)),

    sweep: (now) =>
      database.transaction().execute(async (transaction) => {
        const rows = await transaction
          .selectFrom('tinker_weights')
          .select(['run_id', 'kind', 'name'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(sweptAtOnce)
          .execute()
        for (const row of rows) await removeWeights(transaction, row as WeightsAddress)
        return rows.length
      }),
  }
}

async function addCheckpoint(
  transaction: Database,
  checkpoint: NonNullable<ToSave['checkpoint']>,
  checkpoints: Pick<CheckpointsStore, 'insert'>,
): Promise<number> {
  const modelId = checkpoint.model_id
  const job = await findUnfinishedJob(transaction, modelId)
  if (job) throw badRequest(`the training job ${job.id} of the model has not ended; cancel it, or save again once it has`)
  const { newest } = await transaction
    .selectFrom('checkpoints')
    .select((select) => select.fn.max('step').as('newest'))
    .where('model_id', '=', modelId)
    .executeTakeFirstOrThrow()
  const step = Number(newest) + 1
  await checkpoints.insert(transaction, { ...checkpoint, step })
  return step
}

interface OfModel {
  modelId: string
  overwrites: boolean
}

async function addWeights(transaction: Database, row: WeightsRow, { modelId, overwrites }: OfModel): Promise<void> {
  if (overwrites) await removeWeights(transaction, row)
  const { state_files, user_metadata, ...rest } = row
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('tinker_weights')
    .values({ ...rest, state_files: JSON.stringify(state_files), user_metadata: user_metadata && JSON.stringify(user_metadata) })
    .onConflict((conflict) => conflict.columns(['run_id', 'kind', 'name']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 0n) throw badRequest(`${toAddress(row)} is there already; choose another name, or set overwrite`)
  await referenceBlobs(
    transaction,
    tinkerHolder(modelId, row.id),
    Object.values(state_files).map(({ digest }) => digest),
  )
}

async function removeWeights(transaction: Database, { run_id, kind, name }: WeightsAddress): Promise<boolean> {
  const row = await transaction
    .selectFrom('tinker_weights')
    .innerJoin('tinker_runs', 'tinker_runs.id', 'tinker_weights.run_id')
    .select(['tinker_weights.id', 'tinker_runs.model_id'])
    .where('tinker_weights.run_id', '=', run_id)
    .where('tinker_weights.kind', '=', kind)
    .where('tinker_weights.name', '=', name)
    .executeTakeFirst()
  if (!row) return false
  await transaction.deleteFrom('tinker_weights').where('id', '=', row.id).execute()
  await releaseBlobsAtOnce(transaction, tinkerHolder(row.model_id, row.id))
  return true
}

const runsOf = (database: Database) =>
  database
    .selectFrom('tinker_runs')
    .innerJoin('trained_models', 'trained_models.id', 'tinker_runs.model_id')
    .select([
      'tinker_runs.id',
      'tinker_runs.project_id',
      'tinker_runs.model_id',
      'tinker_runs.named_base_model',
      'tinker_runs.rank',
      'tinker_runs.user_metadata',
      'tinker_runs.created_by',
      'tinker_runs.created_at',
      'trained_models.name as model_name',
      'trained_models.base_model',
    ])

/** Those that have not expired, and whose checkpoint can be used. */
const weightsOf = (database: Database, now: Micros) =>
  database
    .selectFrom('tinker_weights')
    .innerJoin('tinker_runs', 'tinker_runs.id', 'tinker_weights.run_id')
    .innerJoin('checkpoints', (join) =>
      join.onRef('checkpoints.model_id', '=', 'tinker_runs.model_id').onRef('checkpoints.step', '=', 'tinker_weights.step'),
    )
    .select([
      'tinker_weights.id',
      'tinker_weights.run_id',
      'tinker_weights.kind',
      'tinker_weights.name',
      'tinker_weights.step',
      'tinker_weights.state_files',
      'tinker_weights.user_metadata',
      'tinker_weights.created_at',
      'tinker_weights.expires_at',
      'tinker_runs.model_id',
      'checkpoints.files',
    ])
    .where('checkpoints.deleted_at', 'is', null)
    .where(({ eb, or }) => or([eb('tinker_weights.expires_at', 'is', null), eb('tinker_weights.expires_at', '>', now)]))

type RunColumns = Omit<ListedRun, 'user_metadata' | 'named_base_model'> & { user_metadata: string | null; named_base_model: string | null }

function toRun({ user_metadata, named_base_model, ...row }: RunColumns): ListedRun {
  return { ...row, named_base_model: named_base_model ?? row.base_model, user_metadata: toMetadata(user_metadata) }
}

interface WeightsColumns extends Omit<WeightsRow, 'kind' | 'state_files' | 'user_metadata'> {
  kind: string
  state_files: string
  user_metadata: string | null
  model_id: string
  files: string
}

function toWeights({ kind, state_files, user_metadata, files, ...row }: WeightsColumns): ListedWeights {
  const state = JSON.parse(state_files) as CheckpointFiles
  const all = [...Object.values(JSON.parse(files) as CheckpointFiles), ...Object.values(state)]
  return {
    ...row,
    kind: kind as WeightsRow['kind'],
    state_files: state,
    user_metadata: toMetadata(user_metadata),
    size_bytes: all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

const toMetadata = (text: string | null) => (text === null ? null : (JSON.parse(text) as Metadata))
