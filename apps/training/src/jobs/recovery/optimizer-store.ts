import type { Database, WorkScope } from '@heddle/datastore'
import type { CheckpointFiles } from '../../resources/checkpoints/checkpoint-row.ts'

/** The optimizer of a model between two of its jobs, with the weights that it left. */
export interface OptimizerState {
  /** Of the jobs that it belongs to: another kind begins with an optimizer of its own. */
  kind: 'rl' | 'sft'
  /** The checkpoint with the same weights. */
  step: number
  files: CheckpointFiles
}

/** Where each model's optimizer is. A model has one state at most. */
export interface OptimizerStore {
  find(work: WorkScope, modelId: string): Promise<OptimizerState | undefined>
  /** In place of the one before. */
  replace(transaction: Database, modelId: string, state: OptimizerState): Promise<void>
}
