import type { ColumnType, RowOf, Table } from '../table.ts'

const emptyValues: Readonly<Record<ColumnType, unknown>> = {
  String: '',
  'LowCardinality(String)': '',
  'Nullable(String)': null,
  UInt8: 0,
  UInt64: 0n,
  'Nullable(Int64)': null,
  'DateTime64(6)': 0,
  'Nullable(DateTime64(6))': null,
  'Array(String)': Object.freeze([]),
  'Array(Float64)': Object.freeze([]),
  JSON: Object.freeze([]),
}

/** A row with the empty value of each column's type: null where the column is nullable, else `''`, 0, or an empty frozen list. */
export function emptyRow<T extends Table>(table: T): RowOf<T> {
  return Object.fromEntries(Object.entries(table.columns).map(([name, { type }]) => [name, emptyValues[type]])) as RowOf<T>
}
