import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { isFailed } from './call-conditions.ts'
import { notHidden, type Visibility } from './visible-records.ts'

/** The call is a root: it names no parent, or one that is not in its trace, or its parents lead back to itself. */
export function isRoot(projectId: string): Sql {
  return sql`(parent_id = '' OR ${isListedIn(sql`orphans`, projectId)})`
}

/** The call names one of some threads itself, or is of a trace of one. */
export function isOfThreads(projectId: string, threadIds: readonly string[]): Sql {
  const own = sql`project_id = ${bind('String', projectId)}`
  const named = sql`thread_id IN ${bind('Array(String)', threadIds)}`
  return sql`(${named} OR trace_id IN (SELECT trace_id FROM heddle.traces FINAL WHERE ${own} AND thread_id != '' AND ${named}))`
}

const threadOfTrace = sql`thread_of_trace`

/** The threads of a call: the one that it names itself, and that of its trace, from `joinThreadsOfTraces`. */
export const threadsOfCall = sql`arrayDistinct(arrayFilter(t -> t != '', [ifNull(thread_id, ''), ${threadOfTrace}]))`

/** Brings the thread of the trace of each call; `''` where it has none. */
export function joinThreadsOfTraces(projectId: string): Sql {
  const traces = sql`SELECT trace_id AS trace_of_thread, thread_id AS ${threadOfTrace} FROM heddle.traces FINAL
    WHERE project_id = ${bind('String', projectId)} AND thread_id != ''`
  return sql` LEFT ANY JOIN (${traces}) AS threads_of_traces ON trace_of_thread = trace_id`
}

interface DerivedRange {
  projectId: string
  start: Micros
  end: Micros
  visibility: Visibility
  /** Column with the id of the call that a row is about; null for rows about traces. */
  callId: Sql | null
}

/** Rows of a derived table that a reader sees: those of a project that have not expired and start in a range, its end excluded. */
export function derivedIn({ projectId, start, end, visibility, callId }: DerivedRange): Sql {
  const range = [sql`started_at >= ${time(start)}`, sql`started_at < ${time(end)}`]
  return join([...derivedOf({ projectId, visibility, callId }), ...range], sql` AND `)
}

/** The same whenever they start. */
export function derivedOf({ projectId, visibility: { now, hidden }, callId }: Omit<DerivedRange, 'start' | 'end'>): Sql[] {
  return [sql`project_id = ${bind('String', projectId)}`, notExpired(now), ...notHidden(projectId, hidden, callId)]
}

export function notExpired(now: Micros): Sql {
  return sql`(expire_at = ${time(0)} OR expire_at > ${time(now)})`
}

/** The call failed, or another one below it. */
export function isFailedOrAbove(projectId: string): Sql {
  return sql`(${isFailed} OR ${isAboveFailed(projectId)})`
}

/** The call succeeded, and another one below it failed. */
export function isAboveFailed(projectId: string): Sql {
  return isListedIn(sql`failed_above`, projectId)
}

/** The row of the call's trace lists its id in this column. */
function isListedIn(ids: Sql, projectId: string): Sql {
  const own = sql`project_id = ${bind('String', projectId)}`
  // Nearly no trace lists any: the latest versions are read of those alone.
  const some = sql`SELECT trace_id FROM heddle.traces WHERE ${own} AND notEmpty(${ids})`
  return sql`id IN (SELECT arrayJoin(${ids}) FROM heddle.traces FINAL WHERE ${own} AND trace_id IN (${some}))`
}

/** Calls of the trace were written, or have expired, since its row was. */
export function isBehind(now: Micros): Sql {
  return sql`(is_behind = 1 OR (next_expiry_at > ${time(0)} AND next_expiry_at <= ${time(now)}))`
}

const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
