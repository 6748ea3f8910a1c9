import type { CheckpointFiles } from '../checkpoint-files/stored-files.ts'
import type { ModelVersion } from '../engine/engine.ts'

/** A version to be sampled from or trained. */
export interface VersionOf {
  baseModel: string
  /** Null for the base model as it is. */
  checkpoint: { model_id: string; step: number; files: CheckpointFiles } | null
}

/** A version whose files remain in place until it is released. */
export interface HeldVersion {
  version: ModelVersion
  release(): void
}

/** Weights of models as the engine takes them: files of checkpoints in local folders, verified by their digests. */
export interface ModelVersions {
  /**
   * Brings the files of a checkpoint here, unless they are.
   * @throws ApiError 503 when the disk is full, StoreError `damaged` (502) when a file is missing or damaged; it is kept as evidence
   */
  hold(of: VersionOf, signal?: AbortSignal): Promise<HeldVersion>
  /** Releases a deleted checkpoint, or all of a deleted model. */
  forget(modelId: string, step?: number): Promise<void>
}
