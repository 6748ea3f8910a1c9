import type { ModelVersion } from '../engine/engine.ts'
import type { CheckpointRow } from '../resources/checkpoints/checkpoint-row.ts'

/** What is to be sampled from or trained. */
export interface VersionOf {
  baseModel: string
  /** Null for the base model as it is. */
  checkpoint: Pick<CheckpointRow, 'model_id' | 'step' | 'files'> | null
}

/** A version whose files stay where they are until it is released. */
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
  /** Lets go of a checkpoint, or all of a model, that was deleted. */
  forget(modelId: string, step?: number): Promise<void>
}
