import type { Micros, WorkScope } from '@heddle/datastore'

/** An address that was given to a client, for one upload. */
export interface ArtifactUpload {
  projectId: string
  /** Name of the upload in the training data. Null: it is not kept. */
  name: string | null
}

export interface ArtifactUploadsStore {
  create(scope: Pick<WorkScope, 'signal'>, uploads: readonly (ArtifactUpload & { hash: string; expiresAt: Micros })[]): Promise<void>
  /** Undefined if there is none, or it has expired. */
  find(scope: Pick<WorkScope, 'signal'>, hash: string, now: Micros): Promise<ArtifactUpload | undefined>
  /** Removes expired uploads. */
  sweep(now: Micros): Promise<void>
}
