import type { QueryExpression, SortBy } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Micros, type Sql } from '@heddle/datastore'
import { compileExpression } from './compile-expression.ts'
import { compileKeys } from '../compile-sort.ts'
import type { ValueOperand } from './operands/operand.ts'

/** A column of rows of another store, as the engine sees it. None is ever absent. */
export type RowColumn<Row> =
  | { type: 'text'; of(row: Row): string }
  | { type: 'double'; of(row: Row): number }
  | { type: 'time'; of(row: Row): Micros }

export type RowColumns<Row> = Readonly<Record<string, RowColumn<Row>>>

export interface RowSelection {
  query: QueryExpression | null
  /** Null and empty: the order in which the rows are given. */
  sort_by: readonly SortBy[] | null
}

/** Row of the answer of a selection: the position of a selected row among the given ones. */
export interface SelectedRow {
  at: number
}

/**
 * Compiles a selection among rows that another store keeps, so that they follow the same query language: the statement carries the columns that
 * it reads. Undefined when all rows are selected in their own order. All of it is checked here, whatever the rows.
 * @throws 400 for a field that is not a column, above 32 keys, and as `compileExpression`.
 */
export function compileRowSelection<Row>(
  columns: RowColumns<Row>,
  { query, sort_by }: RowSelection,
): ((rows: readonly Row[]) => Sql) | undefined {
  const read = new Map<string, RowColumn<Row>>()
  const readField = (path: string): ValueOperand => {
    const column = Object.hasOwn(columns, path) ? columns[path] : undefined
    if (column === undefined) throw badRequest(`Unknown field: ${path}. Known are ${Object.keys(columns).join(', ')}`)
    read.set(path, column)
    return columnOperand(column, sql`${bind('Identifier', path)}`)
  }
  const condition = query === null ? sql`1` : compileExpression(query, readField)
  const requested = sort_by ?? []
  const keys = requested.length === 0 ? [] : [compileKeys({ requested, added: [] }, readField)]
  if (query === null && requested.length === 0) return undefined
  return (rows) => {
    const positions = bind(
      'Array(UInt64)',
      rows.map((_, at) => at),
    )
    const values = [...read].map(([name, column]) => sql`${columnValues(column, rows)} AS ${bind('Identifier', name)}`)
    const joined = join([sql`${positions} AS at`, ...values], sql`, `)
    return sql`SELECT toFloat64(at) AS at FROM (SELECT 1) ARRAY JOIN ${joined} WHERE ${condition} ORDER BY ${join([...keys, sql`at ASC`], sql`, `)}`
  }
}

function columnValues<Row>(column: RowColumn<Row>, rows: readonly Row[]): Sql {
  switch (column.type) {
    case 'text':
      return sql`${bind('Array(String)', rows.map(column.of))}`
    case 'double':
      return sql`${bind('Array(Float64)', rows.map(column.of))}`
    case 'time':
      return sql`arrayMap(t -> fromUnixTimestamp64Micro(t), ${bind('Array(Int64)', rows.map(column.of))})`
  }
}

function columnOperand<Row>({ type }: RowColumn<Row>, value: Sql): ValueOperand {
  return { kind: 'value', type, sql: value, present: sql`1`, isField: true, takesTypeOfLiteral: false, order: 'typed' }
}
