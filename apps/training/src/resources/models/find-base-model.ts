import { badRequest } from '@heddle/core-api/internal'
import { describeRefused, type RefusedFolder } from '../../base-models/list-base-models.ts'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import { lastPart, matchBase } from './match-base.ts'

/**
 * Finds the base model that a name means: `model` and `org/model` are the same one.
 * @throws ApiError 400 for an unknown one, with the reason if its folder was refused
 */
export type FindBaseModel = (name: string) => Promise<BaseModel>

export function createFindBaseModel({
  engine,
  refusedBaseModels,
}: {
  engine: Pick<Engine, 'baseModels'>
  refusedBaseModels: readonly RefusedFolder[]
}): FindBaseModel {
  return async (name) => {
    const served = await engine.baseModels()
    const found = matchBase(served, name)
    if (found) return found
    const requested = `base_model ${JSON.stringify(name.slice(0, 200))}`
    const refused = refusedBaseModels.map(describeRefused).find((folder) => folder.name === lastPart(name))
    if (refused) throw badRequest(`${requested} cannot be used: ${refused.reason}`)
    const choice = served.length === 0 ? 'this server has none' : `this server has ${served.map(({ id }) => id).join(', ')}`
    throw badRequest(
      `${requested} is not a base model; ${choice}. Name one of them, as it is or as org/model, or add a folder of the name ${JSON.stringify(lastPart(name).slice(0, 200))} to the base models of the server`,
    )
  }
}
