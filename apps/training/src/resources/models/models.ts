import type { MetricRunsStore } from '../../compatibility/runs/metric-runs-store.ts'
import type { Platform } from '../../platform.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import type { EndJob } from '../training-jobs/end-job-store.sql.ts'
import { createListProjects } from './list-projects.ts'
import { modelsHandlers } from './models-handlers.ts'
import { sqlModelsStore } from './models-store.sql.ts'
import { createOpenModel } from './open-model.ts'

/** Models that are trained. */
export function createModels(
  { database, engine, refusedBaseModels, jobs, clock, newId }: Platform,
  { repeats, endJob, versions, runs }: { repeats: RepeatsStore; endJob: EndJob; versions: ModelVersions; runs: MetricRunsStore },
) {
  const models = sqlModelsStore(database, repeats, endJob)
  const openModel = createOpenModel(models)
  const listProjects = createListProjects(models)
  const handlers = modelsHandlers({ store: models, openModel, listProjects, engine, refusedBaseModels, jobs, clock, newId, versions, runs })
  return { models, openModel, listProjects, handlers }
}
