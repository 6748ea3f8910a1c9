import type { Micros } from '../micros.ts'

/** Column types of our tables: those that the row encoder writes. */
export type ColumnType =
  | 'String'
  | 'LowCardinality(String)'
  | 'Nullable(String)'
  | 'UInt8'
  | 'UInt64'
  | 'Nullable(Int64)'
  | 'DateTime64(6)'
  | 'Nullable(DateTime64(6))'
  | 'Array(String)'
  | 'Array(Float64)'
  | 'JSON'

export interface Column {
  type: ColumnType
  /** Compression, for example `Delta, ZSTD(1)`. */
  codec?: string
}

/**
 * A column that the engine computes from others of the row when it stores it. For rows stored before the column existed, it is computed when they are
 * read.
 */
export interface DerivedColumn {
  /** Type of the engine. */
  type: string
  codec?: string
  /** Expression over the table's columns. */
  from: string
  /**
   * The value, as SQL, in rows none of whose columns holds one of these texts. An insert of a few rows takes less than the analysis of a long expression,
   * so that it is spared where the value is known.
   */
  ifNoneOf?: { texts: readonly string[]; value: string }
}

/** A table as data: its DDL, its row encoder and the type of its rows are derived from it. */
export interface Table<C extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>> {
  name: string
  columns: C
  derived?: Readonly<Record<string, DerivedColumn>>
  /** Columns that the first versions of the table did not have: rows that those left in a journal lack them. */
  added?: readonly string[]
  /** `ReplacingMergeTree` keeps the row with the highest `version` of each key, unless it is marked as deleted. */
  versionColumn: string
  deletedColumn?: string
  partitionBy?: string
  orderBy: string
  /** Determines the shard of a row in a cluster. Must not change between the versions of a row. */
  shardingKey: string
  indexes?: readonly string[]
  /** TTL of a row as an expression; 0 = never. */
  ttl?: string
  /** Engine settings of this table, in addition to those of every table. */
  settings?: string
}

interface ValueOf {
  String: string
  'LowCardinality(String)': string
  'Nullable(String)': string | null
  UInt8: number
  UInt64: bigint
  'Nullable(Int64)': number | null
  'DateTime64(6)': Micros
  'Nullable(DateTime64(6))': Micros | null
  'Array(String)': readonly string[]
  /** Finite numbers. */
  'Array(Float64)': readonly number[]
  /** Paths to leaves of an object and their texts, in turn; no path twice. */
  JSON: readonly string[]
}

export type RowOf<T extends Table> = { [K in keyof T['columns']]: ValueOf[T['columns'][K]['type']] }

export function defineTable<const C extends Readonly<Record<string, Column>>>(table: Table<C>): Table<C> {
  return table
}
