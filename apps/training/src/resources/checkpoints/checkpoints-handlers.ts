import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import { toPage } from '../../page.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { OpenModel } from '../models/open-model.ts'
import { toCheckpoint } from './checkpoint-row.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'
import type { ArchiveCheckpoint } from './archive-checkpoint.ts'
import type { ExportCheckpoint } from './export-checkpoint.ts'
import type { ImportCheckpoint } from './import-checkpoint.ts'

export interface CheckpointsDeps {
  store: CheckpointsStore
  openModel: OpenModel
  versions: Pick<ModelVersions, 'forget'>
  archive: ArchiveCheckpoint
  exportCheckpoint: ExportCheckpoint
  importCheckpoint: ImportCheckpoint
  clock: () => Micros
}

export function checkpointsHandlers({
  store,
  openModel,
  versions,
  archive,
  exportCheckpoint,
  importCheckpoint,
  clock,
}: CheckpointsDeps): Handlers<typeof training.checkpoints, Context> {
  return {
    async list({ model_id, after, limit, order }, context) {
      const { model } = await openModel(context, model_id)
      return toPage(await store.list(context.work, model.id, { order, after, limit: limit + 1 }), limit, toCheckpoint)
    },

    async delete({ model_id, steps }, context) {
      const { model } = await openModel(context, model_id)
      const { deleted, kept, notFound: unknown } = await store.delete(context.work, model.id, steps, clock())
      for (const step of deleted) await versions.forget(model.id, step)
      return { deleted_count: deleted.length, not_found_steps: unknown, kept_steps: kept }
    },

    async keep({ model_id, step, kept }, context) {
      const { model } = await openModel(context, model_id)
      const by = kept ? context.caller.userId : null
      const checkpoint = await store.keep(context.work, model.id, step, { by, at: clock() })
      if (!checkpoint) throw noSuchStep(model, step)
      return toCheckpoint(checkpoint)
    },

    async import({ model_id, content }, context) {
      const { model, project } = await openModel(context, model_id)
      return toCheckpoint(await importCheckpoint(context.work, project, model, content))
    },

    async archive({ model_id, step }, context) {
      const { model } = await openModel(context, model_id)
      const checkpoint = await store.find(context.work, model.id, step)
      if (!checkpoint) throw noSuchStep(model, step)
      return archive(model, checkpoint, context.work.signal)
    },

    async export({ model_id, step, format, numbers }, context) {
      const { model } = await openModel(context, model_id)
      const checkpoint = await store.find(context.work, model.id, step)
      if (!checkpoint) throw noSuchStep(model, step)
      return exportCheckpoint(context.work, { model, checkpoint }, { format, numbers })
    },
  }
}

const noSuchStep = (model: ModelRow, step: number) => notFound(`the model "${model.name}" has no checkpoint of step ${step}`)
