import type { Analytical } from '../analytical.ts'
import { databaseName } from '../engine/engine-config.ts'
import { bind, ownSql, type Sql, sql } from '../sql.ts'
import type { Table } from '../table.ts'

export interface TombstoneSweep {
  analytical: Analytical
  /** A table with columns `project_id`, `version` and `is_deleted`. */
  table: Table
  /** Stops the sweep between two statements. */
  signal?: AbortSignal
}

interface DeletedRows {
  project_id: string
  /** Their keys and versions as text. */
  rows: string[]
}

/** Rows per statement: each rewrites large parts of the table. */
const batchRows = 5_000
/** Rows per sweep; the next one continues. */
const maxDeleted = 100_000

/**
 * Removes the rows behind tombstones from disk. Reads skip them at once, but the engine removes them only when it merges, which may be never.
 * Resolves to the number of removed rows.
 */
export async function sweepTombstones({ analytical, table, signal }: TombstoneSweep): Promise<{ deleted: number }> {
  let deleted = 0
  for (let found = batchRows; found === batchRows && deleted < maxDeleted && !signal?.aborted; deleted += found) {
    const projects = await analytical.rows<DeletedRows>(deletedRows(table))
    for (const { project_id, rows } of projects) {
      const some = sql`${rowText(table)} IN ${bind('Array(String)', rows)}`
      await analytical.deleteRows(table, sql`is_deleted = 0 AND project_id = ${bind('String', project_id)} AND ${some}`)
    }
    found = projects.reduce((sum, { rows }) => sum + rows.length, 0)
  }
  return { deleted }
}

/** Rows with a later tombstone of the same key. The list of keys, besides the join, lets the engine read only the parts of the table around them. */
function deletedRows(table: Table): Sql {
  const key = keyOf(table)
  const rows = ownSql(`${databaseName}.${table.name}`)
  return sql`SELECT project_id, groupArray(row) AS rows FROM (
      SELECT project_id, ${rowText(table)} AS row FROM ${rows} AS old
      INNER JOIN (SELECT ${key}, max(version) AS deleted_version FROM ${rows} WHERE is_deleted = 1 GROUP BY ${key}) AS tombstones USING (${key})
      WHERE is_deleted = 0 AND version < deleted_version AND (${key}) IN (SELECT ${key} FROM ${rows} WHERE is_deleted = 1)
      LIMIT ${bind('UInt64', batchRows)}
    ) GROUP BY project_id`
}

/** The key columns; the table definition has them in parentheses. */
function keyOf({ orderBy }: Table): Sql {
  return ownSql(orderBy.slice(1, -1))
}

function rowText(table: Table): Sql {
  return sql`toString((${keyOf(table)}, version))`
}
