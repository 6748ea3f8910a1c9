import type { QueryExpression, SortBy } from '@heddle/core-api'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { compileExpression } from './compile/compile-expression.ts'
import { compileKeys } from './compile-sort.ts'
import { pageClause } from './compile/page-clause.ts'
import { readFeedbackRowField } from './fields/read/read-feedback-row.ts'
import { feedbackNotHidden, type HiddenRecords } from './visible-records.ts'

export interface FeedbackQueryInput {
  /** `entity/project` of an opened project. */
  project_id: string
  /** What deletions of the project hide. */
  hidden: HiddenRecords
  query: QueryExpression | null
  /** Null: by creation. */
  sort_by: readonly SortBy[] | null
  limit: number | null
  offset: number | null
}

/** The parts of a statement over feedback. */
export interface CompiledFeedbackQuery {
  /** `FROM … WHERE …` of all matching rows. */
  matching: Sql
  /** `ORDER BY …`, cut to limit and offset. */
  page: Sql
}

const creation: readonly SortBy[] = [
  { field: 'created_at', direction: 'asc' },
  { field: 'id', direction: 'asc' },
]

/**
 * Compiles a query of feedback. All of it is checked here.
 * @throws 400 for a field that feedback does not have, a negative limit or offset, and as the query language has it.
 */
export function compileFeedbackQuery({ project_id, hidden, query, sort_by, limit, offset }: FeedbackQueryInput): CompiledFeedbackQuery {
  const condition = query === null ? [] : [compileExpression(query, readFeedbackRowField)]
  const conditions = [sql`project_id = ${bind('String', project_id)}`, ...feedbackNotHidden(project_id, hidden), ...condition]
  const requested = sort_by ?? []
  // Rows that are equal in all keys are in the order of their creation, so pages do not overlap.
  const added = requested.some(({ field }) => field === 'id') ? [] : creation
  return {
    matching: sql`FROM heddle.feedback FINAL WHERE ${join(conditions, sql` AND `)}`,
    page: sql`ORDER BY ${compileKeys({ requested, added }, readFeedbackRowField)}${pageClause({ limit, offset })}`,
  }
}
