import type { Platform } from '../../platform.ts'
import type { ResolveModel } from './resolve-model.ts'
import type { ListProjects } from '../models/list-projects.ts'
import type { ModelsStore } from '../models/models-store.ts'
import { servedModelsHandlers } from './served-models-handlers.ts'

export interface ServedModelsOptions {
  models: Pick<ModelsStore, 'list'>
  listProjects: ListProjects
  resolveModel: ResolveModel
}

/** Models that answer requests. */
export function createServedModels({ engine }: Platform, options: ServedModelsOptions) {
  return { handlers: servedModelsHandlers({ engine, ...options }) }
}
