import { settleAll } from '../../settle-all.ts'
import { type InsertBatcher, type NamedRows, storeIsClosing } from './insert-batcher.ts'

export interface InsertBatchersOptions {
  /** Opens the insert batcher of a table. */
  open(table: string): Promise<InsertBatcher>
  /** The tables that have rows left by an earlier process. */
  found(): Promise<readonly string[]>
}

/** The insert batchers of all tables, each opened on first use. */
export interface InsertBatchers {
  /** Resolves once the rows are durable. @throws StoreError as `InsertBatcher.add` does. */
  add(table: string, block: NamedRows): Promise<void>
  /** Resolves once every row acknowledged so far that may be of these projects, also by an earlier process, is in its table. Default: every row. */
  readable(projects?: readonly string[]): Promise<void>
  /** Like `readable`, but only for rows of this process: a migration runs before the rows that an earlier one left are written. */
  written(): Promise<void>
  /** Bytes not yet in their tables. */
  readonly waitingBytes: number
  /** Milliseconds for which the oldest queued writer has waited; 0 when none is queued. */
  readonly oldestWaitingMs: number
  /** Writes what was accepted. Tables that have no batcher yet get none from then on. */
  close(): Promise<void>
}

export function createInsertBatchers({ open, found }: InsertBatchersOptions): InsertBatchers {
  const opening = new Map<string, Promise<InsertBatcher>>()
  const opened = new Set<InsertBatcher>()
  let finding: Promise<void> | undefined
  let isClosed = false

  function batcherOf(table: string): Promise<InsertBatcher> {
    const known = opening.get(table)
    if (known) return known
    // A batcher opened after this would not be closed, and would keep writing its rows after the engine has ended.
    if (isClosed) return Promise.reject(storeIsClosing())
    const made = open(table)
    opening.set(table, made)
    made.then(
      (batcher) => opened.add(batcher),
      () => opening.delete(table),
    )
    return made
  }

  async function openFound(): Promise<void> {
    try {
      await Promise.all((await found()).map(batcherOf))
    } catch (error) {
      finding = undefined
      throw error
    }
  }

  async function written(projects?: readonly string[]): Promise<void> {
    await Promise.all([...opened].map((batcher) => batcher.readable(projects)))
  }

  return {
    async add(table, block) {
      await (await batcherOf(table)).add(block)
    },
    async readable(projects) {
      await (finding ??= openFound())
      await written(projects)
    },
    written: () => written(),
    get waitingBytes() {
      return [...opened].reduce((sum, batcher) => sum + batcher.waitingBytes, 0)
    },
    get oldestWaitingMs() {
      return Math.max(0, ...[...opened].map((batcher) => batcher.oldestWaitingMs))
    },
    async close() {
      isClosed = true
      await Promise.allSettled([finding])
      await Promise.allSettled(opening.values())
      await settleAll([...opened].map((batcher) => batcher.close()))
    },
  }
}
