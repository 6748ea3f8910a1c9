import { StoreError, type Analytical } from './analytical.ts'
import { ownSql, sql } from './sql.ts'

/** Tables that are copied before the relational store: their rows name objects and files, which are recorded there. */
export const tablesBeforeRelational = ['feedback', 'calls'] as const
/** Tables that are copied after the relational store: their rows are written before the records that name them. */
export const tablesAfterRelational = ['object_values', 'tables', 'table_rows'] as const
/**
 * All tables, each before those that its rows refer to. What a row names is written before the row, so copies made one after the
 * other in this order hold all that they name, whatever is written meanwhile.
 */
export const copiedTables = [...tablesBeforeRelational, ...tablesAfterRelational] as const
export type CopiedTable = (typeof copiedTables)[number]

/** A table and the folder of its copy, below the engine's folder of backups. */
export interface TableCopy {
  table: CopiedTable
  /** Lower-case letters, digits and dashes. */
  folder: string
}

/** A part of a table on disk: a folder of files that never change. */
export interface TablePart {
  name: string
  rows: number
  path: string
}

/** Bytes a second of one copy: what the disk can do beyond that is for those who write meanwhile. A gigabyte takes half a minute. */
const maxBytesPerSecond = 40 * 2 ** 20
/** Files of a table that are copied at the same time. */
const copiedAtOnce = 2

/**
 * Copies a table of the embedded engine, as it is at one moment, to `<backups>/<folder>/<table>`. All that was acknowledged before is in it.
 * Writers and readers go on.
 */
export async function copyTable(analytical: Analytical, copy: TableCopy): Promise<void> {
  await untilReadable(analytical)
  // Every part whole in a folder of its own, so that its files can be compared with those of the restored part.
  const pace = `backup_threads=${copiedAtOnce}, max_backup_bandwidth=${maxBytesPerSecond}`
  await analytical.execute(ownSql(`BACKUP TABLE ${copy.table} TO ${place(copy)} SETTINGS deduplicate_files=0, ${pace}`))
}

/**
 * Makes a table that is not there yet from its copy, and keeps the engine from merging its parts while this process of it lives.
 * @returns the parts of the new table, in order of their names.
 */
export async function restoreTable(analytical: Analytical, copy: TableCopy): Promise<TablePart[]> {
  await analytical.execute(ownSql(`RESTORE TABLE ${copy.table} FROM ${place(copy)} SETTINGS structure_only=1`))
  await analytical.execute(ownSql(`SYSTEM STOP MERGES ${copy.table}`))
  await analytical.execute(ownSql(`RESTORE TABLE ${copy.table} FROM ${place(copy)}`))
  return analytical.rows(
    ownSql(
      `SELECT name, toFloat64(rows) AS rows, path FROM system.parts WHERE active AND database = currentDatabase() AND table = '${copy.table}' ORDER BY name`,
    ),
  )
}

/** Bytes that copies of all tables take. */
export async function sizeOfTables(analytical: Analytical): Promise<number> {
  const [size] = await analytical.rows<{ bytes: number }>(
    sql`SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND database = currentDatabase()`,
  )
  return size?.bytes ?? 0
}

/** A read waits for rows of the journal, also of one that an earlier process left; a statement of the house does not. */
async function untilReadable(analytical: Analytical): Promise<void> {
  await analytical.rows(sql`SELECT 1`)
}

function place({ table, folder }: TableCopy): string {
  if (!/^[a-z0-9-]{1,64}$/.test(folder)) throw new StoreError('data', `${JSON.stringify(folder)} is no name for a folder of copies`)
  return `File('${folder}/${table}')`
}
