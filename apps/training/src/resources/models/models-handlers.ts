import type { Handlers, training } from '@heddle/core-api'
import { conflict } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context, RequestWork } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import { toPage } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import type { FindBaseModel } from './find-base-model.ts'
import type { ListProjects } from './list-projects.ts'
import { checkedModelName } from './model-name.ts'
import { toModel } from './model-row.ts'
import type { ModelsStore } from './models-store.ts'
import { noSuchModel, type OpenModel } from './open-model.ts'

/** Whether a model has a run in the tracking service. */
export type HasRun = (work: RequestWork, modelId: string) => Promise<boolean>

export interface ModelsDeps {
  store: ModelsStore
  openModel: OpenModel
  listProjects: ListProjects
  findBaseModel: FindBaseModel
  versions: Pick<ModelVersions, 'forget'>
  hasRun: HasRun
  jobs: Jobs
  clock: () => Micros
  newId: () => string
}

export function modelsHandlers({
  store,
  openModel,
  listProjects,
  findBaseModel,
  versions,
  hasRun,
  jobs,
  clock,
  newId,
}: ModelsDeps): Handlers<typeof training.models, Context> {
  return {
    async create(input, context) {
      const { name, base_model, return_existing } = input
      const entity = input.entity ?? context.caller.entity
      const project = await context.open(`${entity}/${input.project}`)
      checkedModelName(name)
      const base = await findBaseModel(base_model)
      const repeat = toRepeatable({
        caller: context.caller,
        operation: 'models.create',
        key: input['idempotency-key'],
        content: [project.id, name, base_model, return_existing],
      })
      const created = await store.create(project, {
        row: {
          id: newId(),
          project_id: project.id,
          name,
          base_model: base.id,
          run_id: null,
          created_by: context.caller.userId,
          created_at: clock(),
        },
        checkpointId: newId(),
        repeat,
      })
      if (!created.isNew && !return_existing)
        throw conflict(`${project.id} has a model "${name}" already; choose another name, or set return_existing`)
      if (created.row.base_model !== base.id)
        throw conflict(`the model "${name}" of ${project.id} has the base model "${created.row.base_model}", not "${base.id}"`)
      return toModel(created.row)
    },

    async list({ entity, project, name, after, limit }, context) {
      const projectIds = await listProjects(context, { entity, project })
      return toPage(await store.list(context.work, projectIds, { name, after, limit: limit + 1 }), limit, toModel)
    },

    async read({ model_id }, context) {
      return toModel((await openModel(context, model_id)).model)
    },

    async delete({ model_id }, context) {
      const { model, project } = await openModel(context, model_id)
      const reason = `the model "${model.name}" was deleted`
      const deleted_run = await hasRun(context.work, model_id)
      const deleted = await store.delete(project, model_id, { at: clock(), reason, newId })
      if (!deleted) throw noSuchModel(model_id)
      jobs.expect()
      for (const id of deleted.queueJobIds) await jobs.cancel(project, id)
      await versions.forget(model_id)
      return { model_id, deleted_checkpoints: deleted.checkpoints, deleted_run }
    },
  }
}
