import type { PermitLimits } from '@heddle/service-kit'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { StoreFiles } from '../../checkpoint-files/stored-files.ts'
import type { Platform } from '../../platform.ts'
import type { ModelVersions } from '../../model-versions/model-versions.ts'
import type { FindBase } from '../models/find-base.ts'
import type { OpenModel } from '../models/open-model.ts'
import { createArchiveCheckpoint } from './archive-checkpoint.ts'
import { createExportCheckpoint, type DescribeJob } from './export-checkpoint.ts'
import { createExportTurns } from './export-turns.ts'
import { checkpointsHandlers } from './checkpoints-handlers.ts'
import type { CheckpointsStore } from './checkpoints-store.ts'
import { createImportCheckpoint } from './import-checkpoint.ts'

/** Saved weights of models. */
export function createCheckpoints(
  { blobs, engine, scratch, clock, newId }: Platform,
  on: {
    checkpoints: CheckpointsStore
    describeJob: DescribeJob
    openModel: OpenModel
    versions: ModelVersions
    findBase: FindBase
    storeFiles: StoreFiles
    bodies: BodyReader
    maxImportBytes: number
    exportLimits: Partial<PermitLimits> | undefined
  },
) {
  const { checkpoints: store, describeJob, openModel, versions, findBase, storeFiles, bodies, maxImportBytes } = on
  const archive = createArchiveCheckpoint(blobs)
  const exportCheckpoint = createExportCheckpoint({ findBase, versions, describeJob, turns: createExportTurns(on.exportLimits) })
  const importCheckpoint = createImportCheckpoint({
    engine,
    findBase,
    store,
    storeFiles,
    bodies,
    scratch,
    maxBytes: maxImportBytes,
    clock,
    newId,
  })
  return { handlers: checkpointsHandlers({ store, openModel, versions, archive, exportCheckpoint, importCheckpoint, clock }) }
}
