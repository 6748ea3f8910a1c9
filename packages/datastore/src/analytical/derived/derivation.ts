import type { Queries, RowBlock } from '../analytical.ts'
import type { Table } from '../table.ts'
import type { TouchedTrace } from './touched-traces.ts'

/** The store as a derivation sees it. */
export interface DerivingStore {
  /** Reads tables as they are, without waiting for rows that are still to be written: it runs while those wait. */
  rows: Queries['rows']
  /** Writes rows of a derived table. Resolves once they are in it. */
  insert(table: Table, block: RowBlock): Promise<void>
  /** Other servers may write the same tables. */
  isShared: boolean
}

/**
 * Writes what follows from the calls of some traces to tables of its own. It runs after calls are in their table and before waiting reads go on, so that
 * reads see both; a crash in between repeats it. It must be idempotent.
 * @throws StoreError: it is repeated with the calls; any other error is reported, and what is derived stays as it was
 */
export type DeriveTraces = (store: DerivingStore, touched: readonly TouchedTrace[]) => Promise<void>
