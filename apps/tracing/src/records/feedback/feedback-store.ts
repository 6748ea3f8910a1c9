import type { QueryExpression, SortBy } from '@heddle/core-api'
import type { FeedbackRow } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'

/** Which feedback, in which order, with which of its fields. */
export interface FeedbackSelection {
  /** Columns and paths; null for all columns. */
  fields: readonly string[] | null
  query: QueryExpression | null
  sort_by: readonly SortBy[] | null
  limit: number | null
  offset: number | null
}

/** A row as it was selected. */
export interface SelectedFeedback {
  /** The requested columns; the time is in microseconds. */
  columns: Partial<FeedbackRow>
  /** Requested values inside columns, by their requested name. */
  values: ReadonlyMap<string, string | number | null>
}

/** A payload may be a megabyte. */
export type FeedbackWithoutPayload = Omit<FeedbackRow, 'payload'>

/** Storage of feedback. */
export interface FeedbackStore {
  /** Appends rows, of any projects: all or none. Resolves when they are durable and readable. */
  append(rows: readonly FeedbackRow[]): Promise<void>
  /** The latest row of each id and target, including tombstones and, as such, rows that a purge hides; ids without any are omitted. */
  findLatest(project: ProjectScope, ids: readonly string[]): Promise<FeedbackRow[]>
  /** The latest rows that are not tombstones, including those that a purge hides, without their content. */
  findLive(project: ProjectScope, ids: readonly string[]): Promise<FeedbackWithoutPayload[]>
  /** @throws ApiError 400 or 422 for a selection that cannot be. */
  select(project: ProjectScope, selection: FeedbackSelection): Promise<SelectedFeedback[]>
  /** Number of all matching rows, whatever the limit and the offset. */
  count(project: ProjectScope, selection: FeedbackSelection): Promise<number>
  /** All feedback on the calls with these ids, ordered by creation. */
  ofCalls(project: ProjectScope, callIds: readonly string[]): Promise<FeedbackRow[]>
}
