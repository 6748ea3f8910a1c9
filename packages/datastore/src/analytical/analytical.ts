import type { TouchedTrace } from './derived/touched-trace.ts'
import type { Sql } from './sql.ts'
import type { Table } from './table.ts'
import type { WorkScope } from '../work/work-scope.ts'

/** Limits of one query. A query that exceeds one fails with `StoreError` `timeout` or `memory`. */
export interface QueryLimits {
  /** Execution time in seconds. Default 60. */
  maxSeconds?: number
  /** Memory in bytes. Default 2 GiB or half of the engine's limit, whichever is less. */
  maxMemoryBytes?: number
  /**
   * True for a read on whose result a write is based: it sees every acknowledged row. A replica of a cluster that lacks some refuses it, and it is repeated for
   * some seconds, then fails with `unavailable`. Default: whether the work of the scope writes. False: a replica may lack rows of the last moments.
   */
  isConsistent?: boolean
}

/** Limits of a query whose result is read in blocks. */
export interface BlockLimits extends QueryLimits {
  /**
   * Rows that the engine works on at a time, and the most in one block of the result. Default 4,096, for results that are large; more for a statement
   * that reads many rows to return few, since each block adds time.
   */
  rowsAtOnce?: number
}

/** Encoded rows of one table, ready to be written. */
export interface RowBlock {
  /** Rows in RowBinary, in the order of the table's columns. */
  bytes: Uint8Array
  rows: number
  /** True when every row is a tombstone. Tombstones may use the reserved disk space. */
  onlyDeletes?: boolean
  /** Whose rows they are: when the journal fills, the project that wrote most of it lately is slowed down most. */
  tenant?: string
  /** The projects of the rows: only their reads wait until the rows are in the table. Absent: the reads of all do. */
  projects?: readonly string[]
  /** The traces of rows of calls, where it is known without reading these: else they are found in the rows. */
  touched?: readonly TouchedTrace[]
}

/** Queries of one scope. Those of a tenant wait for a permit, and are cancelled in the engine when the tenant's signal aborts. */
export interface Queries {
  /**
   * All rows of a result that is known to be small. 64-bit integers are returned as strings unless the statement converts them.
   * @throws StoreError `cancelled` when the signal of the scope aborts
   */
  rows<T>(statement: Sql, limits?: QueryLimits): Promise<T[]>
  /** Like `rows`, but each row is parsed when it is taken: of many, few are in memory at a time. They are taken once. */
  lazyRows<T>(statement: Sql, limits?: QueryLimits): Promise<Iterable<T>>
  /** Rows in blocks as they arrive, for results of any size. Cancels the query when the consumer stops. The permit is held until the last block. */
  blocks<T>(statement: Sql, limits?: BlockLimits): AsyncIterable<T[]>
  /**
   * The result as the bytes of a Parquet file, which the store holds in memory: for results of up to some 100 MB. It is one only if the iteration
   * ends without an error.
   */
  parquet(statement: Sql, limits?: QueryLimits): AsyncIterable<Uint8Array>
}

/** The analytical store for request handling: every query has a scope, so none can outlive its request. */
export interface ScopedAnalytical {
  of(scope: WorkScope): Queries
  /** Appends rows. Resolves once they are durable and readable. Concurrent writers share one insert, which no caller's signal aborts. */
  insert(table: Table, block: RowBlock): Promise<void>
}

/** A scoped store whose rows sweeps may delete. */
export interface DeletingAnalytical extends ScopedAnalytical {
  /** Deletes the rows that match the condition, on disk as well: parts with such rows are rewritten. Resolves once that is done. */
  deleteRows(table: Table, condition: Sql): Promise<void>
}

/** The store for large, append-mostly data that is queried by content. One dialect: ClickHouse. Queries made on it directly run as server work. */
export interface Analytical extends DeletingAnalytical, Queries {
  /** Queries of the engine's own state. They do not wait for acknowledged rows, which would write these before their batch is full. */
  readonly stored: Queries
  /** Runs a statement of the server itself, such as a mutation. `inBackground`: without waiting until existing rows have changed. */
  execute(statement: Sql, options?: { inBackground?: boolean }): Promise<void>
  health(): Promise<AnalyticalHealth>
  /**
   * Resolves once the store has answered. The embedded engine answers without a statement, so that running ones do not delay it.
   * @throws StoreError `unavailable` when it cannot be reached, or does not answer before the signal aborts
   */
  ping(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface AnalyticalHealth {
  ready: boolean
  version: string
  /** Times that the embedded engine was restarted after an unexpected exit; 0 for a cluster. */
  restarts: number
  /** Rows that this server has stored durably since it started, by table. */
  insertedRows: Readonly<Record<string, number>>
  waitingBytes: number
  oldestWaitingMs: number
  activeParts: number
  detachedParts: number
  diskFreeBytes: number
}
