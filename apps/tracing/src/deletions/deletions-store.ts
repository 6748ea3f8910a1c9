import type { DataCounts, DataSelection, DeletionReceipt } from '@heddle/core-api/types'
import type { Database, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { HiddenRecords } from '../query/visible-records.ts'

/** What a deletion of data covers, and who requested it. */
export interface DataRequest {
  selection: DataSelection
  requested_by: string
  key_id: string
}

/** How far a deletion of data is. */
export interface DataReport {
  /** Null until all is listed; from then on the listed calls are hidden. */
  found: DataCounts | null
  removed: DataCounts
  /** Null until it has ended. */
  receipt: DeletionReceipt | null
}

/** A deletion of more records than a request removes. */
export interface Deletion {
  /** UUID that grows with time. */
  id: string
  kind: 'calls' | 'feedback' | 'object_versions' | 'data'
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
  /** Null unless of data. */
  request: DataRequest | null
  /** Null unless of data. */
  report: DataReport | null
}

/** A deletion of records of one kind. */
export type RecordsDeletion = Deletion & { kind: Exclude<Deletion['kind'], 'data'> }

/** A deletion of all data that a selection covers. */
export type DataDeletion = Deletion & { kind: 'data'; request: DataRequest; report: DataReport }

export type NewDeletion = Omit<Deletion, 'removed' | 'ended_at' | 'request' | 'report'> & Partial<Pick<Deletion, 'request' | 'report'>>

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
   * @throws ApiError 429 when unfinished deletions of the project name 10,000 traces, or 100 of them are of feedback, or of objects, or 10 of data;
   * 409 where the id is taken
   */
  begin(project: ProjectScope, deletion: NewDeletion): Promise<void>
  /** The same as a part of a transaction, with `begun` after it. @throws as `begin` */
  beginIn(transaction: Database, project: ProjectScope, deletion: NewDeletion): Promise<void>
  /** Called after the transaction of `beginIn`. */
  begun(): void
  find(project: ProjectScope, id: string): Promise<Deletion | undefined>
  noteRemoved(project: ProjectScope, id: string, removed: number): Promise<void>
  /** Stores how far a deletion of data is. What it hides changes with its report. */
  noteReport(project: ProjectScope, id: string, report: DataReport): Promise<void>
  /** Nothing is hidden by it from then on. */
  end(transaction: Database, id: string, at: Micros, report?: DataReport): Promise<void>
  /** Called after the transaction of `end`. */
  ended(): void
  /** Ids of those of all projects that have not ended. */
  running(): Promise<ReadonlySet<string>>
  /** Unfinished deletions of all projects, and the records they remove. */
  progress(): Promise<DeletionsProgress>
  /** Deletions of records of one kind. Unfinished ones first, then the ones that ended last. */
  list(project: ProjectScope, limit: number): Promise<RecordsDeletion[]>
  /** Deletions of data, in the same order. */
  listOfData(project: ProjectScope, limit: number): Promise<DataDeletion[]>
  /** Gives each unfinished deletion a job again whose own job failed. */
  resume(): Promise<void>
  /** Forgets deletions that ended before, but for those of data, whose receipts are kept. */
  forgetEnded(before: Micros): Promise<void>
}
