import { insertSettings, jsonAsTextSetting } from '../../rows/insert-settings.ts'
import { BadRequest, type EngineRequest } from '../engine-request.ts'
import { quoteText } from '../../quote.ts'

/** An insert of rows in RowBinary, the only format in which this server writes rows. */
export interface RowInsert {
  table: string
  columns: readonly string[]
  /** JSON columns are JSON texts in the rows. */
  jsonIsText: boolean
  /** File of the rows, relative to the journal folder; undefined when they are in the body. */
  file: string | undefined
}

const form =
  /^INSERT INTO ([a-z][a-z0-9_]*) \(([a-z][a-z0-9_]*(?:, [a-z][a-z0-9_]*)*)\) (?:FROM INFILE '([a-z][a-z0-9_]*\/[0-9]{1,15}\.rows)' )?FORMAT RowBinary$/

/** Parses an insert of rows; undefined for any other statement. */
export function parseRowInsert({ query, settings }: Pick<EngineRequest, 'query' | 'settings'>): RowInsert | undefined {
  const [, table, columns = '', file] = form.exec(query?.trim() ?? '') ?? []
  if (table === undefined) return undefined
  return { table, columns: columns.split(', '), jsonIsText: settings.get(jsonAsTextSetting) === '1', file }
}

const settings = Object.entries({ max_insert_threads: 1, max_threads: 1, insert_allow_materialized_columns: 1, ...insertSettings })
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')

export interface RowsFile {
  path: string
  /** The table's column types by name. */
  types: ReadonlyMap<string, string>
  /** Values, as SQL, of columns that the table would derive from the rows: the same ones, so that it need not. */
  known: ReadonlyMap<string, string>
}

/**
 * The statement that reads the rows of a file.
 * @throws BadRequest when a column is unknown.
 */
export function rowInsertStatement(insert: RowInsert, { path, types, known }: RowsFile): string {
  const columns = insert.columns.map((name) => {
    const type = types.get(name)
    if (type === undefined) throw new BadRequest(16, `table ${insert.table} has no column ${name}`)
    return { name, type, isText: insert.jsonIsText && type.startsWith('JSON') }
  })
  const structure = columns.map((column) => `${column.name} ${column.isText ? 'String' : column.type}`).join(', ')
  const values = columns.map((column) => (column.isText ? `CAST(${column.name}, ${quoteText(column.type)})` : column.name))
  // A table that is older than the column has it later.
  const derived = [...known].filter(([name]) => types.has(name))
  const names = [...insert.columns, ...derived.map(([name]) => name)].join(', ')
  const selected = [...values, ...derived.map(([, value]) => value)].join(', ')
  return `INSERT INTO ${insert.table} (${names}) SELECT ${selected} FROM file(${quoteText(path)}, 'RowBinary', ${quoteText(structure)}) SETTINGS ${settings}`
}
