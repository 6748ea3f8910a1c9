import type { BlobDigest, Micros, WorkScope } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { MetricSums } from '../checkpoints/group-metrics.ts'
import type { RepeatableRequest } from '../../repeats/repeats-store.ts'

type Work = Pick<WorkScope, 'signal'>

/** A group of a log: a line of a blob. */
export interface GroupRow {
  id: string
  model_id: string
  split: string
  step: number
  sha256: BlobDigest
  /** Position of the line in the blob; the last byte is its line break. */
  first_byte: number
  last_byte: number
  created_at: Micros
}

export interface NewLog {
  modelId: string
  /** Digest of the blob that holds the groups. */
  sha256: BlobDigest
  groups: readonly { row: Omit<GroupRow, 'step'>; names: readonly { kind: string; name: string }[] }[]
  split: string
  /** For the metrics of the checkpoint of the newest step. */
  sums: MetricSums
  at: Micros
  repeat: RepeatableRequest | undefined
}

export interface GroupsFilter {
  split: string | null
  step: number | null
  /** Group id. */
  groupId: string | null
  name: { kind: 'trajectory_id' | 'trace_id'; name: string }[]
  after: string | null
  limit: number
}

export interface TrajectoriesStore {
  /**
   * Adds the groups at the newest step of the model. The metrics of its checkpoint are then those of all groups that were logged there under the
   * split. @throws ApiError 404 if the model was deleted
   */
  log(project: ProjectScope, log: NewLog): Promise<void>
  /** Newest first. @throws ApiError 404 if there is no group `after` */
  list(work: Work, modelId: string, filter: GroupsFilter): Promise<GroupRow[]>
}
