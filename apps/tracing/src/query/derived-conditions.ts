import { isFailed } from './call-conditions.ts'
import { bind, sql, type Micros, type Sql } from '@heddle/datastore'

/** The call is a root: it names no parent, or one that is not in its trace, or its parents lead back to itself. */
export function isRoot(projectId: string): Sql {
  const own = sql`project_id = ${bind('String', projectId)}`
  // Nearly no trace has further roots: the latest versions are read of those alone.
  const some = sql`SELECT trace_id FROM heddle.traces WHERE ${own} AND notEmpty(orphans)`
  return sql`(parent_id = '' OR id IN (SELECT arrayJoin(orphans) FROM heddle.traces FINAL WHERE ${own} AND trace_id IN (${some})))`
}

/** Rows of a derived table that a reader sees: those of a project that have not expired and start in a range, its end excluded. */
export function derivedIn({ projectId, start, end, now }: { projectId: string; start: Micros; end: Micros; now: Micros }): Sql {
  const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
  return sql`project_id = ${bind('String', projectId)} AND started_at >= ${time(start)} AND started_at < ${time(end)} AND ${notExpired(now)}`
}

export function notExpired(now: Micros): Sql {
  const time = (at: Micros) => sql`fromUnixTimestamp64Micro(${bind('Int64', Math.floor(at))})`
  return sql`(expire_at = ${time(0)} OR expire_at > ${time(now)})`
}

/** The call failed, or another one below it. */
export function isFailedOrAbove(projectId: string): Sql {
  const own = sql`project_id = ${bind('String', projectId)}`
  const some = sql`SELECT trace_id FROM heddle.traces WHERE ${own} AND notEmpty(failed_above)`
  return sql`(${isFailed} OR id IN (SELECT arrayJoin(failed_above) FROM heddle.traces FINAL WHERE ${own} AND trace_id IN (${some})))`
}
