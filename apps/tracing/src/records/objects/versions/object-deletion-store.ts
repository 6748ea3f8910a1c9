import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Deletion } from '../../../deletions/deletions-store.ts'
import type { RemovalProgress } from '../../../deletions/removal-job.ts'
import type { StoredVersion } from '../objects-store.ts'
import type { DigestArgument } from './digest-argument.ts'

/** Which versions of one name to delete. */
export interface ObjectsDeletion {
  object_id: string
  /** Empty: all live ones. */
  wanted: readonly DigestArgument[]
  at: Micros
  /** Who deletes them. */
  wb_user_id: string
}

/** The result of a deletion request. */
export interface DeletedVersions {
  /** 0 where a wanted version is not live, two of them are the same, or there is nothing to delete. */
  count: number
  /** The versions as they were, by index. If there are more than 10,000, those published first. */
  versions: StoredVersion[]
}

/** How versions of objects are deleted. */
export interface ObjectDeletionStore {
  /**
   * Deletes versions with their tags and aliases, all of the wanted ones or none, and moves `latest` to the remaining version published last. More
   * than 1,000 are hidden together, and removed by a job.
   * @throws ApiError 429 if 100 such deletions of the project have not ended
   */
  delete(project: ProjectScope, deletion: ObjectsDeletion): Promise<DeletedVersions>
  /** Marks versions that a deletion hides as deleted, at most 500, and removes their tags. */
  removeSome(project: ProjectScope, deletion: Deletion): Promise<RemovalProgress>
}
