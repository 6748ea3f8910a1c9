import type { Database } from '@heddle/datastore'
import type { CheckpointFiles } from '../../resources/checkpoints/checkpoint-row.ts'

/** Which blobs a running job needs to go on. */
export interface RecoveryStore {
  /** Beside those of the recovery point before. */
  reference(transaction: Database, jobId: string, files: CheckpointFiles): Promise<void>
  /** In place of them. */
  replace(transaction: Database, jobId: string, files: CheckpointFiles): Promise<void>
}
