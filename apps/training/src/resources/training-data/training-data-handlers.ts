import type { Handlers, training } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { nameOfUpload, toTrainingDataUrl } from './training-data-address.ts'
import type { TrainingDataStore } from './training-data-store.ts'

export interface TrainingDataDeps {
  store: TrainingDataStore
  keepBlobs: KeepBlobs
  clock: () => Micros
}

/** What lines hold is read by the job, which names the line of a failure. */
export function trainingDataHandlers({ store, keepBlobs, clock }: TrainingDataDeps): Handlers<typeof training.trainingData, Context> {
  return {
    async create({ entity, project: name, content }, context) {
      const project = await context.open(`${entity ?? context.caller.entity}/${name}`)
      if (content.sizeBytes === 0) throw badRequest('the training data is empty; send JSON Lines, an object with messages on each line')
      const data = { name: nameOfUpload(content), content: { digest: content.digest, sizeBytes: content.sizeBytes }, at: clock() }
      await keepBlobs(project, [content], () => store.create(project, data))
      return { url: toTrainingDataUrl(project.id, data.name) }
    },
  }
}
