import type { Database } from '@heddle/datastore'
import type { CheckpointFiles } from '../../resources/checkpoints/checkpoint-row.ts'

/** Which blobs a running job needs to go on. */
export interface RecoveryStore {
  /** Beside those of the recovery point before. False when the job has ended: it needs none, and these are removed. */
  reference(transaction: Database, jobId: string, files: CheckpointFiles): Promise<boolean>
  /** In place of all others, which are removed at once. */
  keepOnly(transaction: Database, jobId: string, files: CheckpointFiles): Promise<void>
}
