import type { TransactionalJobs } from '@heddle/jobs'
import type { Platform } from '../../platform.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import { createFindBaseModel } from './find-base-model.ts'
import { createListProjects } from './list-projects.ts'
import { type HasRun, modelsHandlers } from './models-handlers.ts'
import { sqlModelsStore } from './models-store.sql.ts'
import type { EndJobsOfModel } from './models-store.ts'
import { sqlModelRemovalStore } from './model-removal-store.sql.ts'
import { createOpenModel } from './open-model.ts'
import { createRemoveModel, modelRemovalKind } from './remove-model.ts'

interface ModelsOptions {
  queued: Pick<TransactionalJobs, 'enqueue'>
  repeats: RepeatsStore
  endJobsOfModel: EndJobsOfModel
  versions: ModelVersions
  hasRun: HasRun
}

/** Models that are trained. */
export function createModels(
  { database, engine, refusedBaseModels, jobs, clock, newId }: Platform,
  { queued, repeats, endJobsOfModel, versions, hasRun }: ModelsOptions,
) {
  const models = sqlModelsStore({ database, repeats, endJobsOfModel, queued })
  const openModel = createOpenModel(models)
  const listProjects = createListProjects(models)
  const findBaseModel = createFindBaseModel({ engine, refusedBaseModels })
  const handlers = modelsHandlers({ store: models, openModel, listProjects, findBaseModel, jobs, clock, newId, versions, hasRun })
  const jobKinds = { [modelRemovalKind]: createRemoveModel(sqlModelRemovalStore(database)) }
  return { models, openModel, listProjects, findBaseModel, handlers, jobKinds }
}
