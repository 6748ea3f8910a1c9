import type { Blobs, Micros } from '@heddle/datastore'
import type { BodyReader } from '../body-threads/body-reader.ts'
import type { Engine } from '../engine/engine.ts'
import type { ModelVersions } from '../model-versions/model-versions.ts'
import type { CheckpointsStore } from '../resources/checkpoints/checkpoints-store.ts'
import type { ModelsStore } from '../resources/models/models-store.ts'
import type { TrainingJobsStore } from '../resources/training-jobs/training-jobs-store.ts'
import type { Scratch } from '../scratch.ts'
import type { TrainingRunLimits } from '../training/training-run.ts'
import type { OptimizerStore } from './recovery/optimizer-store.ts'
import type { RecoveryStore } from './recovery/recovery-store.ts'
import type { StoreFiles } from '../checkpoint-files/stored-files.ts'
import type { TrainingObserver } from '../training-observer.ts'

export interface TrainingJobDeps {
  jobs: TrainingJobsStore
  models: ModelsStore
  checkpoints: CheckpointsStore
  recovery: RecoveryStore
  optimizers: OptimizerStore
  versions: ModelVersions
  engine: Engine
  blobs: Blobs
  bodies: BodyReader
  storeFiles: StoreFiles
  scratch: Scratch
  limits: Partial<TrainingRunLimits>
  /** Highest rank of a new adapter. */
  maxAdapterRank: number
  /** After which a job that found no space on the disk is tried again. Default 5 s. */
  fullDiskRetryMs: number | undefined
  observer: TrainingObserver | undefined
  clock: () => Micros
  newId: () => string
}
