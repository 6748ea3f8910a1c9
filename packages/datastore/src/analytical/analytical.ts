import type { Sql } from './sql.ts'
import type { Table } from './table.ts'
import type { WorkScope } from './work-scope.ts'

export { StoreError, type StoreErrorKind } from './store-error.ts'

/** Bounds of one query. A query that exceeds one ends with `StoreError` `timeout` or `memory`. */
export interface QueryLimits {
  /** Seconds of execution. Default 60. */
  maxSeconds?: number
  /** Bytes of memory. Default 2 GiB or half of the engine's limit, whichever is less. */
  maxMemoryBytes?: number
}

/** Encoded rows of one table, ready to be written. */
export interface RowBlock {
  /** Rows in RowBinary, in the order of the table's columns. */
  bytes: Uint8Array
  rows: number
  /** True when each row says that one is deleted: such rows may have the room on disk that others must leave. */
  onlyDeletes?: boolean
}

/** Queries on somebody's account. Those of a tenant run when it gets a permit, and are ended in the engine when its signal aborts. */
export interface Queries {
  /**
   * All rows of an answer that is known to be small. 64-bit integers arrive as text unless the statement converts them.
   * @throws StoreError `cancelled` when the signal of the scope aborts
   */
  rows<T>(statement: Sql, limits?: QueryLimits): Promise<T[]>
  /** Rows in blocks as they arrive, for answers of any size. Ends the query when the consumer stops. The permit is held until the last block. */
  blocks<T>(statement: Sql, limits?: QueryLimits): AsyncIterable<T[]>
}

/** The analytical store as the stores of requests see it: there is no query without a scope, so none can outlive its request. */
export interface ScopedAnalytical {
  of(scope: WorkScope): Queries
  /** Appends rows. Resolves when they are durable and readable; writers that come together share one insert, which no caller's signal ends. */
  insert(table: Table, block: RowBlock): Promise<void>
}

/** The same for a store whose rows are taken away by sweeps. */
export interface DeletingAnalytical extends ScopedAnalytical {
  /** Takes away the rows that hold the condition, from the disk as well: parts that have any are written again. Resolves when it is done. */
  deleteRows(table: Table, condition: Sql): Promise<void>
}

/** The store for what is large, append-mostly and queried by content. One dialect: ClickHouse. Its own queries are those of the server itself. */
export interface Analytical extends DeletingAnalytical, Queries {
  /** Runs a statement of the house itself, such as a mutation of a sweep. `inBackground`: without waiting until rows that are there have changed. */
  execute(statement: Sql, options?: { inBackground?: boolean }): Promise<void>
  health(): Promise<AnalyticalHealth>
  close(): Promise<void>
}

export interface AnalyticalHealth {
  ready: boolean
  version: string
  /** Times the embedded engine was started again after it ended by itself; 0 for a cluster. */
  restarts: number
  waitingBytes: number
  oldestWaitingMs: number
  activeParts: number
  detachedParts: number
  diskFreeBytes: number
}
