import type { Platform } from '../../platform.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { OpenModel } from '../models/open-model.ts'
import { createArchiveCheckpoint } from './archive-checkpoint.ts'
import { checkpointsHandlers } from './checkpoints-handlers.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'

/** Saved weights of models. */
export function createCheckpoints(
  { blobs, clock }: Platform,
  on: { checkpoints: CheckpointsStore; openModel: OpenModel; versions: ModelVersions },
) {
  const archive = createArchiveCheckpoint(blobs)
  return { handlers: checkpointsHandlers({ store: on.checkpoints, openModel: on.openModel, versions: on.versions, archive, clock }) }
}
