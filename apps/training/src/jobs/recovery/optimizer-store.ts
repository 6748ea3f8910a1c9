import type { Database, WorkScope } from '@heddle/datastore'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'

/** Jobs that continue with each other's optimizer: those of one loss. */
export type OptimizerKind = 'rl' | 'sft' | 'dpo' | 'distillation'

/** The optimizer of a model between two of its jobs, with the weights that it left. */
export interface OptimizerState {
  /** Kind of the jobs that it belongs to: another kind begins with its own optimizer. */
  kind: OptimizerKind
  /** The checkpoint with the same weights. */
  step: number
  files: CheckpointFiles
}

/** Where each model's optimizer is. A model has one state at most. */
export interface OptimizerStore {
  find(work: WorkScope, modelId: string): Promise<OptimizerState | undefined>
  /** Replaces the previous state. */
  replace(transaction: Database, modelId: string, state: OptimizerState): Promise<void>
}
