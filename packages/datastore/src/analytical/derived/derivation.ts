import type { Queries, RowBlock } from '../analytical.ts'
import type { Table } from '../table.ts'
import type { TouchedTrace } from './touched-trace.ts'

/** The store as a derivation sees it. */
export interface DerivingStore {
  /** Reads tables as they are, without waiting for rows that are still to be written: it runs while those wait. */
  rows: Queries['rows']
  /** The same, with rows that are parsed when they are taken. */
  lazyRows: Queries['lazyRows']
  /** Writes rows of a derived table. Resolves once they are in it. */
  insert(table: Table, block: RowBlock): Promise<void>
  /** Other servers may write the same tables. */
  isShared: boolean
}

/**
 * Writes rows that are derived from the calls of some traces to their own tables. It runs after calls are in their table and before waiting reads
 * continue, so that reads see both; a crash in between repeats it. It must be idempotent.
 * @throws StoreError: it is repeated with the calls; any other error is reported, and the derived rows remain unchanged
 */
export type DeriveTraces = (store: DerivingStore, touched: readonly TouchedTrace[]) => Promise<void>
