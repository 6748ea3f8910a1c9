import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import { describeRefused, type RefusedFolder } from '../../base-models/list-base-models.ts'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import { toPage } from '../../page.ts'

/** Base models as the engine has them, and folders that cannot be used. */
export function baseModelsHandlers(
  engine: Pick<Engine, 'baseModels'>,
  refusedFolders: readonly RefusedFolder[],
): Handlers<typeof training.baseModels, Context> {
  const refused = refusedFolders.map(describeRefused)
  return {
    async list({ after, limit }) {
      const models = (await engine.baseModels()).toSorted((left, right) => (left.id < right.id ? -1 : 1))
      const start = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1
      if (after !== null && start === 0) throw notFound(`after: base model ${JSON.stringify(after.slice(0, 100))} was not found`)
      return { ...toPage(models.slice(start, start + limit + 1), limit, toBaseModel), refused }
    },
  }
}

function toBaseModel({ id, parameters, contextLength, learningRates }: BaseModel) {
  return { id, name: id, parameters, context_length: contextLength, learning_rates: { ...learningRates } }
}
