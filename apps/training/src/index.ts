export { createTrainingService, type TrainingService } from './app.ts'
export type { TrackingDocuments } from './compatibility/tracking-documents.ts'
export { BaseModelError } from './base-models/base-model-error.ts'
export {
  type BaseModelFolders,
  type BaseModelList,
  listBaseModels,
  listRemoteModels,
  type RefusedFolder,
} from './base-models/list-base-models.ts'
export { estimateMemory, type MemoryEstimate } from './base-models/memory-estimate.ts'
export { shippedModelsFolder } from './base-models/shipped-models.ts'
export { aboutFile, packCheckpoint, readArchived } from './checkpoint-files/checkpoint-archive.ts'
export { unpackExport } from './model-export/unpack-export.ts'
export {
  createEmbeddedEngine,
  defaultTrainingThreads,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
} from './engine/embedded/embedded-engine.ts'
export { NativeLibraryError } from './engine/embedded/kernels/native/blas-library.ts'
export type { NativeChoice } from './engine/embedded/kernels/native/native-choice.ts'
export { tryNativeLibrary } from './engine/embedded/process/try-native-library.ts'
export {
  type AdapterSettings,
  type BaseModel,
  type Engine,
  EngineError,
  type EngineErrorKind,
  type ModelVersion,
  type TokenSequence,
  type SamplingSettings,
  type OptimizerSettings,
  type GenerateRequest,
  type TrainingSession,
} from './engine/engine.ts'
export { createLauncher, type LauncherDeps } from './engine/launchers/create-launcher.ts'
export { createLaunchedEngine, type LaunchedEngineOptions } from './engine/launchers/launched-engine.ts'
export type { EngineLauncher, ServerState } from './engine/launchers/engine-launcher.ts'
export type { LaunchEvent } from './engine/launchers/launched-server.ts'
export { type LauncherSettings, parseLauncherFile } from './engine/launchers/launcher-file.ts'
export { createSampledEngine, type SampledEngineOptions } from './engine/sampler/sampled-engine.ts'
export { createTinkerEngine, type TinkerEngineOptions } from './engine/tinker/tinker-engine.ts'
export { type CheckedTrainingData, checkTrainingData, type TrainingDataKind } from './sequences/fine-tuning/check-training-data.ts'
export { noEngine } from './engine/no-engine.ts'
export type { EndedJob, OnJobEnded } from './resources/training-jobs/ended-job.ts'
export type { TrainingObserver } from './training-observer.ts'
export type { RecordCalls, TracedCall } from './resources/tinker/step-traces/traced-call.ts'
export { hasStoredWork } from './stored-work-store.sql.ts'
export type { TrainingDeps } from './training-deps.ts'
export { unversionedPaths } from './unversioned-paths.ts'
