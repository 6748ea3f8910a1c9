import type { Table } from '../table.ts'

const leavesMark = ':leaves'

/**
 * The columns of RowBinary rows of a table, in order: names, with JSON columns as `name:leaves`. In rows that an older version
 * left in a journal a JSON column has its plain name, and its values are JSON texts.
 */
export function rowColumns(table: Table): readonly string[] {
  const known = columnsOf.get(table)
  if (known !== undefined) return known
  const columns = Object.entries(table.columns).map(([name, { type }]) => (type === 'JSON' ? `${name}${leavesMark}` : name))
  columnsOf.set(table, columns)
  return columns
}

/** The same list for each block of a table, so that it can be compared by identity. */
const columnsOf = new WeakMap<Table, readonly string[]>()

/** The column lists that rows of a table may have: of this version, and of older ones with fewer columns, or with JSON columns as texts. */
export function knownRowColumns(table: Table): (readonly string[])[] {
  const added: ReadonlySet<string> = new Set(table.added)
  const lists = [rowColumns(table), Object.keys(table.columns)]
  return added.size === 0 ? lists : [...lists, ...lists.map((names) => names.filter((name) => !added.has(name)))]
}

/** The row format that a list of columns implies. */
export interface RowForm {
  /** Names of the columns in the table. */
  names: string[]
  /** JSON columns are JSON texts, not paths with types and values. */
  jsonIsText: boolean
}

export function readRowColumns(columns: readonly string[]): RowForm {
  const names = columns.map((column) => (column.endsWith(leavesMark) ? column.slice(0, -leavesMark.length) : column))
  return { names, jsonIsText: names.every((name, index) => name === columns[index]) }
}
