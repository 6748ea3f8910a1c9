import { badRequest } from '@heddle/core-api/internal'
import { describeRefused, type RefusedFolder } from '../../base-models/list-base-models.ts'
import type { BaseModel, Engine } from '../../engine/engine.ts'

/** Finds a base model that new models may name. @throws ApiError 400 for an unknown one, with the reason if its folder was refused */
export type FindBaseModel = (id: string) => Promise<BaseModel>

export function createFindBaseModel({
  engine,
  refusedBaseModels,
}: {
  engine: Pick<Engine, 'baseModels'>
  refusedBaseModels: readonly RefusedFolder[]
}): FindBaseModel {
  return async (id) => {
    const served = await engine.baseModels()
    const found = served.find((base) => base.id === id)
    if (found) return found
    const refused = refusedBaseModels.map(describeRefused).find(({ name }) => name === id)
    if (refused) throw badRequest(`base_model ${JSON.stringify(id)} cannot be used: ${refused.reason}`)
    const choice = served.length === 0 ? 'this server has none' : `this server has ${served.map((base) => base.id).join(', ')}`
    throw badRequest(`base_model ${JSON.stringify(id.slice(0, 200))} is not a base model; ${choice}`)
  }
}
