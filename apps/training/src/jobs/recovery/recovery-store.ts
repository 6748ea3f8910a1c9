import type { Database } from '@heddle/datastore'
import type { CheckpointFiles } from '../../checkpoint-files/stored-files.ts'

/** References from a running job to the blobs that it needs to resume. */
export interface RecoveryStore {
  /** Adds to those of the previous recovery point. False if the job has ended: it needs none, and these are removed. */
  reference(transaction: Database, jobId: string, files: CheckpointFiles): Promise<boolean>
  /** Replaces all other references, whose blobs are removed immediately. */
  keepOnly(transaction: Database, jobId: string, files: readonly CheckpointFiles[]): Promise<void>
}
