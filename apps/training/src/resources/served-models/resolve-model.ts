import { badRequest, notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import type { CheckpointRow } from '../checkpoints/checkpoint-row.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { ModelsStore } from '../models/models-store.ts'
import { type OpenModel, openOrHide } from '../models/open-model.ts'
import { type CheckpointAlias, type ModelAddress, parseModelAddress } from '../models/model-address.ts'

/** The weights that a request samples from. They do not change during the request, even if the model is trained meanwhile. */
export interface ResolvedModel {
  base: BaseModel
  /** Null: the base model was named itself. */
  checkpoint: CheckpointRow | null
  /** `entity/project`; empty for a base model. */
  project: string
  /** When the model was registered; 0 for a base model. */
  createdAt: Micros
}

export interface ResolveModelDeps {
  models: Pick<ModelsStore, 'list'>
  checkpoints: Pick<CheckpointsStore, 'find' | 'findNewest' | 'list'>
  openModel: OpenModel
  engine: Pick<Engine, 'baseModels'>
}

export type ResolveModel = (context: Context, name: string | null) => Promise<ResolvedModel>

/** A version further than this is not searched. */
const maxVersions = 10_000

/** Finds the weights of a name. @throws ApiError 400 without a name, 404 if the caller has no such model */
export function createResolveModel({ models, checkpoints, openModel, engine }: ResolveModelDeps): ResolveModel {
  async function findModel(context: Context, address: ModelAddress): Promise<ModelRow | undefined> {
    if (address.kind === 'unknown') return undefined
    if (address.kind === 'id') return (await openModel(context, address.id)).model
    const [model] = await models.list(context.work, [address.project], { name: address.name, after: null, limit: 1 })
    return model && (await openOrHide(context, model.project_id)) ? model : undefined
  }

  async function findCheckpoint({ work }: Context, modelId: string, alias: CheckpointAlias): Promise<CheckpointRow | undefined> {
    if (alias.kind === 'newest') return checkpoints.findNewest(work, modelId)
    if (alias.kind === 'step') return checkpoints.find(work, modelId, alias.step)
    if (alias.place >= maxVersions) return undefined
    return (await checkpoints.list(work, modelId, { order: 'asc', after: null, limit: alias.place + 1 }))[alias.place]
  }

  return async (context, name) => {
    if (!name) throw badRequest('model is missing; name a trained model or a base model', { param: 'model' })
    const bases = await engine.baseModels()
    const named = bases.find(({ id }) => id === name)
    if (named) return { base: named, checkpoint: null, project: '', createdAt: 0 }
    const address = name.length > 1_000 || name.includes('\0') ? ({ kind: 'unknown' } as const) : parseModelAddress(name)
    const model = await findModel(context, address).catch((error: unknown) => {
      throw (error as { status?: number }).status === 404 ? noSuchModel(name) : error
    })
    if (!model || address.kind === 'unknown') throw noSuchModel(name)
    const checkpoint = await findCheckpoint(context, model.id, address.alias)
    if (!checkpoint) throw notFound(`the model "${model.name}" has no checkpoint ${JSON.stringify(name.slice(0, 200))}`, { param: 'model' })
    const base = bases.find(({ id }) => id === model.base_model)
    if (!base) throw notFound(`the base model "${model.base_model}" of "${model.name}" is not served here`, { param: 'model' })
    return { base, checkpoint, project: model.project_id, createdAt: model.created_at }
  }
}

const noSuchModel = (name: string) =>
  notFound(`model ${JSON.stringify(name.slice(0, 200))} not found; name one as entity/project/name, optionally with :stepN`, {
    param: 'model',
  })
