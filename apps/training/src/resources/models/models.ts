import type { Platform } from '../../platform.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import { createListProjects } from './list-projects.ts'
import { modelsHandlers } from './models-handlers.ts'
import { sqlModelsStore } from './models-store.sql.ts'
import { createOpenModel } from './open-model.ts'

/** Models that are trained. */
export function createModels({ database, engine, jobs, clock, newId }: Platform, on: { repeats: RepeatsStore; versions: ModelVersions }) {
  const models = sqlModelsStore(database, on.repeats)
  const openModel = createOpenModel(models)
  const listProjects = createListProjects(models)
  const handlers = modelsHandlers({ store: models, openModel, listProjects, engine, jobs, clock, newId, versions: on.versions })
  return { models, openModel, listProjects, handlers }
}
