import type { Analytical } from '../analytical.ts'
import { StoreError } from '../../work/store-error.ts'
import { ownSql, sql } from '../sql.ts'

/** Tables that are copied before the relational store: their rows reference objects and files that are stored there. */
export const tablesBeforeRelational = ['feedback', 'calls'] as const
/** Tables that are copied after the relational store: their rows are written before the relational rows that reference them. */
export const tablesAfterRelational = ['object_values', 'tables', 'table_rows', 'deleted_calls'] as const
/**
 * All tables, each before those that it references. A row is written after the rows that it references, so copies made one after the other in this
 * order have no dangling references, even during writes.
 */
export const copiedTables = [...tablesBeforeRelational, ...tablesAfterRelational] as const
export type CopiedTable = (typeof copiedTables)[number]

/** A table and the folder of its copy, inside the engine's backup folder. */
export interface TableCopy {
  table: CopiedTable
  /** Lower-case letters, digits and dashes. */
  folder: string
}

/** A part of a table on disk: a folder of immutable files. */
export interface TablePart {
  name: string
  rows: number
  path: string
}

/** Bandwidth of a copy: the rest of the disk's bandwidth is left to concurrent writers. A gigabyte takes about 25 seconds. */
const maxBytesPerSecond = 40 * 2 ** 20
/** Files of a table that are copied concurrently. */
const copyThreads = 2

/**
 * Copies a consistent snapshot of a table of the embedded engine to `<backups>/<folder>/<table>`. It contains every row acknowledged before.
 * Writers and readers are not blocked.
 */
export async function copyTable(analytical: Analytical, copy: TableCopy): Promise<void> {
  await untilReadable(analytical)
  // Each part in its own folder, so that its files can be compared with those of the restored part.
  const bandwidth = `backup_threads=${copyThreads}, max_backup_bandwidth=${maxBytesPerSecond}`
  await analytical.execute(ownSql(`BACKUP TABLE ${copy.table} TO ${backupFile(copy)} SETTINGS deduplicate_files=0, ${bandwidth}`))
}

/**
 * Creates a table, which must not exist, from its copy, and stops merges of its parts until the engine is restarted.
 * @returns the parts of the new table, ordered by name.
 */
export async function restoreTable(analytical: Analytical, copy: TableCopy): Promise<TablePart[]> {
  await analytical.execute(ownSql(`RESTORE TABLE ${copy.table} FROM ${backupFile(copy)} SETTINGS structure_only=1`))
  await analytical.execute(ownSql(`SYSTEM STOP MERGES ${copy.table}`))
  await analytical.execute(ownSql(`RESTORE TABLE ${copy.table} FROM ${backupFile(copy)}`))
  return analytical.rows(
    ownSql(
      `SELECT name, toFloat64(rows) AS rows, path FROM system.parts WHERE active AND database = currentDatabase() AND table = '${copy.table}' ORDER BY name`,
    ),
  )
}

/** Total size of copies of all tables, in bytes. */
export async function sizeOfTables(analytical: Analytical): Promise<number> {
  const [size] = await analytical.rows<{ bytes: number }>(
    sql`SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase()`,
  )
  return size?.bytes ?? 0
}

/** Waits for the rows of the journal, also of an earlier process. A read does that, `execute` does not. */
async function untilReadable(analytical: Analytical): Promise<void> {
  await analytical.rows(sql`SELECT 1`)
}

function backupFile({ table, folder }: TableCopy): string {
  if (!/^[a-z0-9-]{1,64}$/.test(folder))
    throw new StoreError('data', `backup folder ${JSON.stringify(folder)} must be 1 to 64 lower-case letters, digits or dashes`)
  return `File('${folder}/${table}')`
}
