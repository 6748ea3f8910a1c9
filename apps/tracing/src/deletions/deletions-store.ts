import type { Database, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { HiddenRecords } from '../query/visible-records.ts'

/** A deletion of more records than a request removes. */
export interface Deletion {
  /** UUID that grows with time. */
  id: string
  kind: 'calls' | 'feedback' | 'object_versions'
  /** Ids of traces that are deleted whole, with what arrives for them while they are removed. */
  whole_traces: readonly string[]
  /** Ids of traces of which the listed calls are deleted. */
  part_traces: readonly string[]
  /** Records that were there when it began. */
  total: number
  /** Records that were removed so far. */
  removed: number
  deleted_at: Micros
  /** Versions of the listed feedback up to this one are deleted; of objects, those published until this time; 0 of calls. */
  last_version: number
  /** The name whose versions are deleted; null unless of objects. */
  object_id: string | null
  /** Null while records are removed. */
  ended_at: Micros | null
}

export type NewDeletion = Omit<Deletion, 'removed' | 'ended_at'>

export interface DeletionsProgress {
  running: number
  /** Records that were there when these began. */
  total: number
  removed: number
}

/** Deletions of many records, which are hidden immediately and removed later. */
export interface DeletionsStore {
  /** Records hidden by unfinished deletions, by id of the project; projects without any are omitted. */
  hiddenIn(projects: readonly ProjectScope[]): Promise<ReadonlyMap<string, HiddenRecords>>
  /**
   * Stores a deletion with its job, both or none. Its records are hidden from every read that begins once this resolves, on every server.
   * @throws ApiError 429 when unfinished deletions of the project name 10,000 traces, or 100 of them are of feedback, or of objects
   */
  begin(project: ProjectScope, deletion: NewDeletion): Promise<void>
  /** The same as a part of a transaction, with `begun` after it. @throws as `begin` */
  beginIn(transaction: Database, project: ProjectScope, deletion: NewDeletion): Promise<void>
  /** Called after the transaction of `beginIn`. */
  begun(): void
  find(project: ProjectScope, id: string): Promise<Deletion | undefined>
  noteRemoved(project: ProjectScope, id: string, removed: number): Promise<void>
  /** Nothing is hidden by it from then on. */
  end(transaction: Database, id: string, at: Micros): Promise<void>
  /** Called after the transaction of `end`. */
  ended(): void
  /** Ids of those of all projects that have not ended. */
  running(): Promise<ReadonlySet<string>>
  /** Unfinished deletions of all projects, and the records they remove. */
  progress(): Promise<DeletionsProgress>
  /** Unfinished deletions first, then the ones that ended last. */
  list(project: ProjectScope, limit: number): Promise<Deletion[]>
  /** Gives each unfinished deletion a job again whose own job failed. */
  resume(): Promise<void>
  /** Forgets deletions that ended before. */
  forgetEnded(before: Micros): Promise<void>
}
