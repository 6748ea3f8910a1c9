import { badRequest } from '@heddle/core-api/internal'
import { describeRefused, type RefusedFolder } from '../../base-models/list-base-models.ts'
import type { Engine } from '../../engine/engine.ts'

/** @throws ApiError 400 for an unknown base model, with the reason if its folder was refused */
export type AssertBaseModel = (id: string) => Promise<void>

export function createAssertBaseModel({
  engine,
  refusedBaseModels,
}: {
  engine: Pick<Engine, 'baseModels'>
  refusedBaseModels: readonly RefusedFolder[]
}): AssertBaseModel {
  return async (id) => {
    const served = (await engine.baseModels()).map((model) => model.id)
    if (served.includes(id)) return
    const refused = refusedBaseModels.map(describeRefused).find(({ name }) => name === id)
    if (refused) throw badRequest(`base_model ${JSON.stringify(id)} cannot be used: ${refused.reason}`)
    const choice = served.length === 0 ? 'this server has none' : `this server has ${served.join(', ')}`
    throw badRequest(`base_model ${JSON.stringify(id.slice(0, 200))} is not a base model; ${choice}`)
  }
}
