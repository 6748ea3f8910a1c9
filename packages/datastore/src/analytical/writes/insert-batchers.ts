import { settleAll } from '../../settle-all.ts'
import { type InsertBatcher, type RowsNeeded, storeIsClosing } from './insert-batcher.ts'
import type { NamedRows } from '../rows/named-rows.ts'

export interface InsertBatchersOptions {
  /** Opens the insert batcher of a table. */
  open(table: string): Promise<InsertBatcher>
  /** Lists the tables for which an earlier process left rows that are not yet in them. */
  listRecovered(): Promise<readonly string[]>
}

/** The insert batchers of all tables, each opened on its first use. */
export interface InsertBatchers {
  /** Resolves once the rows are durable. @throws StoreError as `InsertBatcher.add` does. */
  add(table: string, block: NamedRows): Promise<void>
  /** Resolves once every row acknowledged so far that a read may need, also by an earlier process, is in its table. Default: every row. */
  flush(read?: RowsNeeded): Promise<void>
  /** Like `flush`, but only for tables that this process has written to: migrations run before the rows that an earlier process left are written. */
  flushOpened(): Promise<void>
  /** Bytes not yet in their tables. */
  readonly waitingBytes: number
  /** Milliseconds for which the oldest queued writer has waited; 0 when none is queued. */
  readonly oldestWaitingMs: number
  /** Rejects further rows, and resolves once all accepted ones are settled and the batchers are closed. */
  close(): Promise<void>
}

export function createInsertBatchers({ open, listRecovered }: InsertBatchersOptions): InsertBatchers {
  const batchersByTable = new Map<string, Promise<InsertBatcher>>()
  const opened = new Set<InsertBatcher>()
  let recovering: Promise<void> | undefined
  let isClosed = false

  function batcherOf(table: string): Promise<InsertBatcher> {
    const existing = batchersByTable.get(table)
    if (existing) return existing
    // A batcher opened after this would not be closed, and would keep writing its rows after the engine has ended.
    if (isClosed) return Promise.reject(storeIsClosing())
    const opening = open(table)
    batchersByTable.set(table, opening)
    opening.then(
      (batcher) => opened.add(batcher),
      () => batchersByTable.delete(table),
    )
    return opening
  }

  async function openRecovered(): Promise<void> {
    try {
      await Promise.all((await listRecovered()).map(batcherOf))
    } catch (error) {
      recovering = undefined
      throw error
    }
  }

  async function flushOpened(read?: RowsNeeded): Promise<void> {
    await Promise.all([...opened].map((batcher) => batcher.flush(read)))
  }

  return {
    async add(table, block) {
      await (await batcherOf(table)).add(block)
    },
    async flush(read) {
      await (recovering ??= openRecovered())
      await flushOpened(read)
    },
    flushOpened: () => flushOpened(),
    get waitingBytes() {
      return [...opened].reduce((sum, batcher) => sum + batcher.waitingBytes, 0)
    },
    get oldestWaitingMs() {
      return Math.max(0, ...[...opened].map((batcher) => batcher.oldestWaitingMs))
    },
    async close() {
      isClosed = true
      await Promise.allSettled([recovering])
      await Promise.allSettled(batchersByTable.values())
      await settleAll([...opened].map((batcher) => batcher.close()))
    },
  }
}
