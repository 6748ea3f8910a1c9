import type { MetricSums } from './group-metrics.ts'
import type { Database, Micros, WorkScope } from '@heddle/datastore'
import type { CheckpointRow, NewCheckpoint } from './checkpoint-row.ts'

type Work = Pick<WorkScope, 'signal'>

export interface CheckpointsPage {
  order: 'asc' | 'desc'
  /** Id of the last checkpoint of the page before; it may have been deleted since. */
  after: string | null
  limit: number
}

export interface DeletedCheckpoints {
  deleted: number[]
  /** In the order of the request. */
  notFound: number[]
  /** Marked as kept, so that they are not deleted. */
  kept: number[]
}

/** The model of every method belongs to a project that the caller has opened. */
export interface CheckpointsStore {
  /** @throws ApiError 404 when `after` never was a checkpoint of the model */
  list(work: Work, modelId: string, page: CheckpointsPage): Promise<CheckpointRow[]>
  find(work: Work, modelId: string, step: number): Promise<CheckpointRow | undefined>
  /** The checkpoint with the highest step. Undefined if the model was deleted. */
  findNewest(work: Work, modelId: string): Promise<CheckpointRow | undefined>
  /** Deletes all except those marked as kept, or none. @throws ApiError 409 for the newest one, and those that a job uses */
  delete(work: Work, modelId: string, steps: readonly number[], at: Micros): Promise<DeletedCheckpoints>
  /** Marks a checkpoint as kept, or clears the mark when `by` is null. Returns undefined if the checkpoint does not exist. */
  keep(work: Work, modelId: string, step: number, mark: { by: string | null; at: Micros }): Promise<CheckpointRow | undefined>
  /** Adds a checkpoint with its references to blobs, in the transaction that ends its job. */
  insert(transaction: Database, row: NewCheckpoint): Promise<void>
  /** Adds the first checkpoint beyond step 0. @throws ApiError 409 if the model has one, or jobs that have not ended; 404 if it was deleted */
  insertFirst(work: Work, row: NewCheckpoint): Promise<void>
  /** Adds sums of groups that were logged at a checkpoint; its metrics are then those of all that was logged there under the split. */
  addLogged(transaction: Database, checkpointId: string, logged: { split: string; sums: MetricSums }): Promise<void>
}
