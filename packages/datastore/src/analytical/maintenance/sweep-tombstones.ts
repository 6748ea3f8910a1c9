import { setTimeout as delay } from 'node:timers/promises'
import type { Analytical } from '../analytical.ts'
import { databaseName } from '../engine/engine-config.ts'
import { bind, ownSql, type Sql, sql } from '../sql.ts'
import type { Table } from '../table.ts'

export interface TombstoneSweep {
  analytical: Pick<Analytical, 'rows' | 'deleteRows'>
  /** A table with columns `project_id`, `version` and `is_deleted`. */
  table: Table
  /** Stops the sweep between two statements. */
  signal?: AbortSignal
  /** Tombstones that are looked at together: their keys are in the memory of the engine. Default 200,000. */
  tombstonesAtOnce?: number
  /** Rows that one statement removes. Default 20,000. */
  rowsAtOnce?: number
}

interface DeletedRows {
  /** All that have one of the rows: the engine finds its rows by their project. */
  projects: string[]
  /** What `rowHash` makes of them. */
  rows: string[]
}

/** Tombstones with a version above `after`, up to `until`. */
interface Span {
  after: bigint
  until: bigint
}

const tombstonesAtOnce = 200_000
/** Each statement rewrites all parts that hold one of its rows. More would be a longer list than the engine keeps as a constant, and a cluster in its log. */
const rowsAtOnce = 20_000
/** Longest pause between two statements. */
const maxPauseMs = 30_000

/**
 * Removes all rows behind tombstones from disk. Reads skip them immediately, but the engine removes them only when it merges, which may be never.
 * Runs until none are left, and pauses between two statements for as long as the first took. Resolves to the number of removed rows.
 */
export async function sweepTombstones(sweep: TombstoneSweep): Promise<{ deleted: number }> {
  const { table, signal } = sweep
  let deleted = 0
  for (let span = await spanAfter(sweep, 0n); span && !signal?.aborted; span = await spanAfter(sweep, span.until)) {
    const most = sweep.rowsAtOnce ?? rowsAtOnce
    for (let found = most; found === most && !signal?.aborted;) {
      const startedAt = performance.now()
      const [{ projects, rows } = { projects: [], rows: [] }] = await sweep.analytical.rows<DeletedRows>(deletedRows(table, span, most))
      found = rows.length
      if (found === 0) break
      const ofProjects = sql`project_id IN ${bind('Array(String)', projects)}`
      const some = sql`${rowHash(table)} IN ${bind('Array(String)', rows)}`
      await sweep.analytical.deleteRows(table, sql`is_deleted = 0 AND ${ofProjects} AND ${some}`)
      deleted += found
      if (found === most) await pause(performance.now() - startedAt, signal)
    }
  }
  return { deleted }
}

/** The next tombstones by version; undefined after the last. Tombstones of one version are never split, however many they are. */
async function spanAfter(
  { analytical, table, tombstonesAtOnce: most = tombstonesAtOnce }: TombstoneSweep,
  after: bigint,
): Promise<Span | undefined> {
  const later = sql`SELECT version FROM ${nameOf(table)} WHERE is_deleted = 1 AND version > ${bind('UInt64', after)}`
  const [row] = await analytical.rows<{ until: string; tombstones: number }>(
    sql`SELECT max(version) AS until, toFloat64(count()) AS tombstones FROM (${later} ORDER BY version LIMIT ${bind('UInt64', most)})`,
  )
  return row === undefined || row.tombstones === 0 ? undefined : { after, until: BigInt(row.until) }
}

/** Rows with a later tombstone of the same key. The list of keys, besides the join, lets the engine read only the parts of the table around them. */
function deletedRows(table: Table, { after, until }: Span, most: number): Sql {
  const key = keyOf(table)
  const rows = nameOf(table)
  const isInSpan = sql`is_deleted = 1 AND version > ${bind('UInt64', after)} AND version <= ${bind('UInt64', until)}`
  return sql`SELECT groupUniqArray(project_id) AS projects, groupArray(row) AS rows FROM (
      SELECT project_id, ${rowHash(table)} AS row FROM ${rows} AS old
      INNER JOIN (SELECT ${key}, max(version) AS deleted_version FROM ${rows} WHERE ${isInSpan} GROUP BY ${key}) AS tombstones USING (${key})
      WHERE is_deleted = 0 AND version < deleted_version AND (${key}) IN (SELECT ${key} FROM ${rows} WHERE ${isInSpan})
      LIMIT ${bind('UInt64', most)}
    )`
}

function nameOf({ name }: Table): Sql {
  return ownSql(`${databaseName}.${name}`)
}

/** The key columns; the table definition has them in parentheses. */
function keyOf({ orderBy }: Table): Sql {
  return ownSql(orderBy.slice(1, -1))
}

/** Key and version of a row, short however long its key is: 128 bits, so that no two rows have the same. */
function rowHash(table: Table): Sql {
  return sql`hex(sipHash128(toString((${keyOf(table)}, version))))`
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await delay(Math.min(ms, maxPauseMs), undefined, { ...(signal && { signal }) }).catch(() => undefined)
}
