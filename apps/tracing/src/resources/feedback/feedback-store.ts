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
  /** The columns that were asked for; the time is in microseconds. */
  columns: Partial<FeedbackRow>
  /** What was asked for inside columns, by the name under which it was. */
  values: ReadonlyMap<string, string | number | null>
}

/** What the feedback resource asks of storage. */
export interface FeedbackStore {
  /** Appends rows, of any projects: all or none. Resolves when they are durable and readable. */
  append(rows: readonly FeedbackRow[]): Promise<void>
  /** The latest row of each id and target, those that ended one included; ids without any are left out. */
  findLatest(project: ProjectScope, ids: readonly string[]): Promise<FeedbackRow[]>
  /** @throws ApiError 400 or 422 for a selection that cannot be. */
  select(project: ProjectScope, selection: FeedbackSelection): Promise<SelectedFeedback[]>
  /** Number of all matching rows, whatever the limit and the offset. */
  count(project: ProjectScope, selection: FeedbackSelection): Promise<number>
  /** All feedback on the calls with these ids, in order of creation. */
  ofCalls(project: ProjectScope, callIds: readonly string[]): Promise<FeedbackRow[]>
}
