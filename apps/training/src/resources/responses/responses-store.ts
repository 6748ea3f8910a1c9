import type { BlobDigest, Micros, WorkScope } from '@heddle/datastore'

/** Whose responses: those of one user, and of one model or of all base models. */
export interface ResponseOwner {
  /** `entity/project` of the model; empty for base models. */
  project_id: string
  /** Empty for base models. */
  model_id: string
  user_id: string
}

export interface StoredResponseRow extends ResponseOwner {
  id: string
  sha256: BlobDigest
  size_bytes: number
  created_at: Micros
}

type Work = Pick<WorkScope, 'signal'>

export interface ResponsesStore {
  /** Stores a response, and deletes the oldest of its owner beyond the limits. @throws ApiError 404 where the model was deleted meanwhile */
  add(work: Work, row: StoredResponseRow): Promise<void>
  /** A response of anyone: the caller checks the owner. */
  find(work: Work, id: string): Promise<StoredResponseRow | undefined>
  delete(work: Work, id: string): Promise<boolean>
  /** Deletes some that are older. Returns how many. */
  sweep(before: Micros): Promise<number>
}
