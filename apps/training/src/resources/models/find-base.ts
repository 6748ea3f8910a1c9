import { badRequest } from '@heddle/core-api/internal'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import type { ModelRow } from './model-row.ts'

/** The base model of a model. @throws ApiError 400 when it is not served */
export type FindBase = (model: Pick<ModelRow, 'base_model'>) => Promise<BaseModel>

export function createFindBase(engine: Pick<Engine, 'baseModels'>): FindBase {
  return async ({ base_model }) => {
    const base = (await engine.baseModels()).find(({ id }) => id === base_model)
    if (base) return base
    const name = JSON.stringify(base_model.slice(0, 200))
    throw badRequest(`the base model ${name} is not served here; without it no model from it can be trained, imported or exported`)
  }
}
