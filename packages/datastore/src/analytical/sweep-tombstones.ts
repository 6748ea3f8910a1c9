import type { Analytical } from './analytical.ts'
import { databaseName } from './engine/engine-config.ts'
import { bind, ownSql, type Sql, sql } from './sql.ts'
import type { Table } from './table.ts'

export interface TombstoneSweep {
  analytical: Analytical
  /** A table with columns `project_id`, `version` and `is_deleted`. */
  table: Table
  /** Ends the sweep between two statements. */
  signal?: AbortSignal
}

interface OldRows {
  project_id: string
  /** Texts of their keys and versions. */
  rows: string[]
}

/** Rows of one statement: each writes large parts of the table again. */
const deletedAtOnce = 5_000
/** Of one sweep; the next one goes on. */
const maxDeleted = 100_000

/**
 * Takes from the disk what rows held before they were deleted. Reads pass over it at once, and the engine comes to it when it merges, which may be never.
 * Resolves to how many rows went.
 */
export async function sweepTombstones({ analytical, table, signal }: TombstoneSweep): Promise<{ deleted: number }> {
  let deleted = 0
  for (let found = deletedAtOnce; found === deletedAtOnce && deleted < maxDeleted && !signal?.aborted; deleted += found) {
    const projects = await analytical.rows<OldRows>(oldRows(table))
    for (const { project_id, rows } of projects) {
      const some = sql`${textOfRow(table)} IN ${bind('Array(String)', rows)}`
      await analytical.deleteRows(table, sql`is_deleted = 0 AND project_id = ${bind('String', project_id)} AND ${some}`)
    }
    found = projects.reduce((sum, { rows }) => sum + rows.length, 0)
  }
  return { deleted }
}

/** Rows with a later one of the same key that ends it. The list of keys, beside the join with them, lets the engine read the table around them alone. */
function oldRows(table: Table): Sql {
  const key = keyOf(table)
  const rows = ownSql(`${databaseName}.${table.name}`)
  return sql`SELECT project_id, groupArray(row) AS rows FROM (
      SELECT project_id, ${textOfRow(table)} AS row FROM ${rows} AS old
      INNER JOIN (SELECT ${key}, max(version) AS ended FROM ${rows} WHERE is_deleted = 1 GROUP BY ${key}) AS ends USING (${key})
      WHERE is_deleted = 0 AND version < ended AND (${key}) IN (SELECT ${key} FROM ${rows} WHERE is_deleted = 1)
      LIMIT ${bind('UInt64', deletedAtOnce)}
    ) GROUP BY project_id`
}

/** Columns of the key, which stand in parentheses in the definition of a table. */
function keyOf({ orderBy }: Table): Sql {
  return ownSql(orderBy.slice(1, -1))
}

function textOfRow(table: Table): Sql {
  return sql`toString((${keyOf(table)}, version))`
}
