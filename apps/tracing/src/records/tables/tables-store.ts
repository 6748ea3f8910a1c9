import type { SortBy } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'

/** A table that is there. */
export interface StoredTable {
  digest: string
  /** Positions, also those whose row was never stored. */
  row_count: number
}

/** The result of storing a table. */
export interface NewTable extends StoredTable {
  /** The row digests in order, in parts of any size. */
  parts: Iterable<readonly string[]> | AsyncIterable<readonly string[]>
}

/** Which rows of a table, in which order. */
export interface RowsSelection {
  digest: string
  /** Null: all. */
  row_digests: readonly string[] | null
  /** Dotted paths inside the rows, already checked. Empty: the order of the table. */
  sort_by: readonly SortBy[]
  /** Null: all. */
  limit: number | null
  offset: number
}

/** Position of a row in a table. */
export interface RowKey {
  position: number
  digest: string
  /** Bytes of the row as JSON. */
  bytes: number
}

/** A row of a table by the two digests. */
export interface RowOfTable {
  table_digest: string
  row_digest: string
}

/** Row digests of tables. A table is there as a whole or not at all, also after a crash. */
export interface TablesStore {
  /** The tables that are there, by digest. */
  find(project: ProjectScope, digests: readonly string[]): Promise<Map<string, StoredTable>>
  /** Stores a table, or the same one again. Resolves when it is durable and readable. */
  put(project: ProjectScope, table: NewTable): Promise<void>
  /** Row digests of `count` positions from `start`, at most 100,000. */
  readDigests(project: ProjectScope, table: string, range: { start: number; count: number }): Promise<string[]>
  /**
   * Keys of the selected rows, in order, in blocks; none for a table that does not exist. Positions whose row was never stored are omitted. The first
   * block is found when this resolves.
   */
  select(project: ProjectScope, selection: RowsSelection): Promise<AsyncIterable<RowKey[]>>
  /** The given rows that are in their tables. */
  findRows(project: ProjectScope, rows: readonly RowOfTable[]): Promise<RowOfTable[]>
  /** Bytes of the stored rows as JSON, summed over the positions of each table that is there. */
  sizes(project: ProjectScope, tables: readonly StoredTable[]): Promise<Map<string, number>>
  /** Called when tables were removed, so that nothing remembered of them is used. */
  forget(project: ProjectScope, digests: readonly string[]): void
}
