import type { SortBy } from '@heddle/core-api'
import type { ObjectVersionFilter } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { DigestArgument } from './versions/digest-argument.ts'
import type { ObjectClass, ObjectKind } from './versions/object-class.ts'

/** A version of an object without its value. */
export interface StoredVersion extends ObjectClass {
  project_id: string
  object_id: string
  kind: ObjectKind
  digest: string
  /** 0 for the first version of the name and kind, one more for each new digest, deleted ones counted. */
  version_index: number
  wb_user_id: string | null
  size_bytes: number
  created_at: Micros
  /** Null while the version lives. */
  deleted_at: Micros | null
  is_latest: 0 | 1
}

/** The result of publishing a version. */
export interface NewVersion extends ObjectClass {
  object_id: string
  kind: ObjectKind
  digest: string
  wb_user_id: string
  /** The key of the request. Null: the server itself publishes it. */
  key_id: string | null
  size_bytes: number
  /** Time of the publication. */
  at: Micros
}

export type PublishOutcome = { status: 'published'; version_index: number } | { status: 'other_class'; base_object_class: string | null }

export interface VersionQuery {
  object_id: string
  argument: DigestArgument
}

/** Which live versions, in which order. */
export interface ObjectsSelection {
  filter: ObjectVersionFilter
  /** By `object_id` and `created_at`; other fields count for nothing. Ties end at the index and the name, so pages do not overlap. */
  sort_by: readonly SortBy[]
  limit: number
  offset: number
}

/** Storage of objects. A version is numbered and becomes the latest in one step, even with concurrent writers. */
export interface ObjectsStore {
  /** The version that this digest is already, when it lives and is the latest of its name. */
  findLatest(project: ProjectScope, version: Pick<NewVersion, 'object_id' | 'kind' | 'digest'>): Promise<StoredVersion | undefined>
  /**
   * Makes each digest the latest of its name: as a new version, as a live one again, or as a deleted one that is restored with its number. Refused if
   * live versions of the name and kind are of another class. The values must have been stored before. At most one version of a name may be given.
   * Answers in the given order. Each hundred is one step.
   */
  publish(project: ProjectScope, versions: readonly NewVersion[]): Promise<PublishOutcome[]>
  /**
   * The versions in the wanted order, including deleted ones. Undefined if there is none. An index means the object if an op has it too; an alias
   * that the object does not have is compared with digests.
   */
  findVersions(project: ProjectScope, wanted: readonly VersionQuery[]): Promise<(StoredVersion | undefined)[]>
  /** Live versions, at most `limit`. More than 2,000 are read in steps, between which other requests may write. */
  select(project: ProjectScope, selection: ObjectsSelection): Promise<StoredVersion[]>
  /** Deleted versions of the project whose values may still be there, newest deletion first, at most `limit`. */
  findDeleted(project: ProjectScope, limit: number): Promise<Pick<StoredVersion, 'object_id' | 'kind' | 'digest'>[]>
  /** The keys, of any project, that are named by a version which is live or was deleted at this time or later. */
  findNamed<Key extends { project_id: string; digest: string }>(keys: readonly Key[], deletedSince: Micros): Promise<Set<Key>>
  /** Notes that values of deleted versions were removed. Publishing a version with one of these digests clears the note. */
  markValueDeleted(projectId: string, digests: readonly string[], at: Micros): Promise<void>
  /** Digest of the latest live version of each op, by name; names without one are omitted. */
  findLatestOps(project: ProjectScope, names: readonly string[]): Promise<Map<string, string>>
  /** Bytes of the values of all live versions; 0 without any. */
  totalBytes(project: ProjectScope): Promise<number>
}
