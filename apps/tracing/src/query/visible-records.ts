import { bind, sql, type Micros, type Sql } from '@heddle/datastore'

/** Feedback that a deletion hides: the listed ids, up to a version, so that later feedback under the same id is visible. */
export interface HiddenFeedback {
  deletion: string
  last_version: number
}

/** What deletions of a project hide while they remove it. */
export interface HiddenRecords {
  /** Ids of traces of which every call is hidden. */
  traces: readonly string[]
  /** Ids of deletions whose calls are listed in `deleted_calls`. */
  deletions: readonly string[]
  feedback: readonly HiddenFeedback[]
}

/** Facts other than the call itself that determine whether a reader sees it. */
export interface Visibility {
  /** Calls that expired before this time are not seen. */
  now: Micros
  hidden: HiddenRecords
}

export const nothingHidden: HiddenRecords = { traces: [], deletions: [], feedback: [] }

/** Whether deletions of the project hide no call. */
export function hidesNoCall({ traces, deletions }: HiddenRecords): boolean {
  return traces.length === 0 && deletions.length === 0
}

/**
 * The conditions under which no deletion hides a row of a project; empty if there are no deletions, so that no column is read for them. `callId` is
 * the column with the id of the call; null for rows about whole traces.
 */
export function notHidden(projectId: string, { traces, deletions }: HiddenRecords, callId: Sql | null = sql`id`): Sql[] {
  return [
    ...(traces.length === 0 ? [] : [sql`trace_id NOT IN ${bind('Array(String)', traces)}`]),
    ...(deletions.length === 0 || callId === null ? [] : [sql`${callId} NOT IN (${listedIds(projectId, deletions)})`]),
  ]
}

/** The conditions under which no deletion hides a row of feedback; empty if there are no deletions. */
export function feedbackNotHidden(projectId: string, { feedback }: HiddenRecords): Sql[] {
  return feedback.map(
    ({ deletion, last_version }) => sql`(version > ${bind('UInt64', last_version)} OR id NOT IN (${listedIds(projectId, [deletion])}))`,
  )
}

/** A statement that answers the ids of the calls or feedback that some deletions list. */
export function listedIds(projectId: string, deletions: readonly string[]): Sql {
  return sql`SELECT call_id FROM heddle.deleted_calls WHERE project_id = ${bind('String', projectId)} AND deletion_id IN ${bind('Array(String)', deletions)}`
}
