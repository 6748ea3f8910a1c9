import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { ServedModel } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { Engine } from '../../engine/engine.ts'
import type { ResolveModel } from './resolve-model.ts'
import type { ListProjects } from '../models/list-projects.ts'
import type { ModelsStore } from '../models/models-store.ts'

export interface ServedModelsDeps {
  models: Pick<ModelsStore, 'list'>
  listProjects: ListProjects
  resolveModel: ResolveModel
  engine: Pick<Engine, 'baseModels'>
}

/** Trained models of a list. */
const maxTrained = 1_000

export function servedModelsHandlers({
  models,
  listProjects,
  resolveModel,
  engine,
}: ServedModelsDeps): Handlers<typeof training.servedModels, Context> {
  async function listAll(context: Context): Promise<ServedModel[]> {
    const bases = (await engine.baseModels()).map(({ id }) => id).toSorted()
    const projects = await listProjects(context, { entity: null, project: null })
    const trained = await models.list(context.work, projects, { name: null, after: null, limit: maxTrained })
    return [
      ...bases.map((id) => toServedModel(id, { project: '', createdAt: 0 })),
      ...trained.map(({ project_id, name, created_at }) =>
        toServedModel(`${project_id}/${name}`, { project: project_id, createdAt: created_at }),
      ),
    ]
  }

  return {
    async list({ after_id, limit }, context) {
      const all = await listAll(context)
      const start = after_id === null ? 0 : all.findIndex(({ id }) => id === after_id) + 1
      if (after_id !== null && start === 0)
        throw notFound(`after_id: model ${JSON.stringify(after_id.slice(0, 200))} was not found; name the last model of the page before`)
      const data = all.slice(start, start + limit)
      return {
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: start + data.length < all.length,
      }
    },

    async read({ model }, context) {
      return toServedModel(model, await resolveModel(context, model))
    },
  }
}

/** `project`: `entity/project`; empty for a base model. */
function toServedModel(id: string, { project, createdAt }: { project: string; createdAt: Micros }): ServedModel {
  const created = Math.floor(createdAt / 1e6)
  return {
    id,
    object: 'model',
    created,
    owned_by: project === '' ? 'system' : project.slice(0, project.indexOf('/')),
    type: 'model',
    display_name: id,
    created_at: new Date(created * 1_000).toISOString(),
  }
}
