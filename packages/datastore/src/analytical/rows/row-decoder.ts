import { ownSql, type Sql } from '../sql.ts'
import type { ColumnType, RowOf, Table } from '../table.ts'

/** Columns of a table that a query can answer as they were written. The engine does not answer JSON columns in that form. */
export type DecodableColumn<T extends Table> = {
  [K in keyof T['columns'] & string]: T['columns'][K]['type'] extends 'JSON' ? never : K
}[keyof T['columns'] & string]

/** A row as the engine answers it in JSON, under the names that `select` gives its values. */
export type AnsweredRow = Readonly<Record<string, unknown>>

/** The inverse of a row encoder, for rows that a query answers. */
export interface RowDecoder<R> {
  /** The list of a `SELECT`. A time is selected under an alias, so that conditions on its column still refer to the column. */
  readonly select: Sql
  /** The values of an answered row, as they were written. */
  decode(answered: AnsweredRow): R
}

type Decode = (value: unknown) => unknown

/** 64-bit integers are answered as texts. */
const toNumber: Decode = (value) => Number(value)
const orNull =
  (decode: Decode): Decode =>
  (value) =>
    value === null ? null : decode(value)

/** Undefined for values that are answered as they were written. */
const decoders: Readonly<Record<Exclude<ColumnType, 'JSON'>, Decode | undefined>> = {
  String: undefined,
  'LowCardinality(String)': undefined,
  'Nullable(String)': undefined,
  UInt8: toNumber,
  UInt64: (value) => BigInt(value as string),
  'Nullable(Int64)': orNull(toNumber),
  'DateTime64(6)': toNumber,
  'Nullable(DateTime64(6))': orNull(toNumber),
  'Array(String)': undefined,
  'Array(Float64)': undefined,
}

/**
 * `constants` are members of every decoded row in addition to its columns.
 * @throws Error for a column that the table does not have or whose type is JSON.
 */
export function rowDecoder<T extends Table, const C extends DecodableColumn<T>, K extends object = object>(
  table: T,
  columns: readonly C[],
  constants: K = {} as K,
): RowDecoder<K & Pick<RowOf<T>, C>> {
  const selected = columns.map((name) => selectedColumn(table, name))
  // Copied for each row: an object that has all of its members from the start is filled several times as fast as one that grows.
  const template = { ...constants, ...Object.fromEntries(columns.map((name) => [name, null])) }
  return {
    select: ownSql(selected.map((column) => column.sql).join(', ')),
    decode(answered) {
      const row: Record<string, unknown> = { ...template }
      for (const { name, answeredAs, decode } of selected) {
        const value = answered[answeredAs]
        row[name] = decode === undefined ? value : decode(value)
      }
      return row as K & Pick<RowOf<T>, C>
    },
  }
}

function selectedColumn({ name: table, columns }: Table, name: string) {
  const type = columns[name]?.type
  if (type === undefined) throw new Error(`table ${table} has no column ${name}`)
  if (type === 'JSON') throw new Error(`column ${table}.${name} cannot be decoded from an answer: its type is JSON`)
  const isTime = type === 'DateTime64(6)' || type === 'Nullable(DateTime64(6))'
  const answeredAs = isTime ? `${name}_us` : name
  return { name, answeredAs, decode: decoders[type], sql: isTime ? `toUnixTimestamp64Micro(${name}) AS ${answeredAs}` : name }
}

/** Names of a table's columns but for some of them, in the order of the table. */
export function columnsExcept<T extends Table, const X extends keyof T['columns'] & string>(
  table: T,
  excluded: readonly X[],
): Exclude<keyof T['columns'] & string, X>[] {
  const names: ReadonlySet<string> = new Set(excluded)
  return Object.keys(table.columns).filter((name) => !names.has(name)) as Exclude<keyof T['columns'] & string, X>[]
}
