import { sleep, type Timing } from '../../timing.ts'
import type { RowBlock } from '../analytical.ts'
import type { NamedRows } from '../rows/named-rows.ts'
import { StoreError } from '../../work/store-error.ts'

export interface InsertBatcherOptions {
  /** Writes the blocks in one insert. Resolves once they are durable. */
  write(blocks: readonly NamedRows[]): Promise<void>
  timing: Timing
  /** Maximum rows per insert. A block is never split, so a larger block is inserted alone. Default 2 000. */
  maxRows?: number
  /** Maximum bytes per insert. Default 8 MiB. */
  maxBytes?: number
  /** Maximum bytes that may be queued. Default 64 MiB. */
  maxWaitingBytes?: number
  /** Milliseconds that the oldest block may be queued before new ones are rejected. Default 2 000. */
  maxWaitingMs?: number
  /** Attempts per insert after transient failures. Default 8, over about 7 seconds, enough for a killed engine to restart. */
  maxAttempts?: number
  /** Milliseconds after which no further attempt begins: those at a store that does not respond take seconds each. Default 10 000. */
  maxRetryMs?: number
}

/** Which acknowledged rows a read needs. */
export interface RowsNeeded {
  /** The projects that it reads. Undefined: any. */
  projects?: readonly string[] | undefined
  /** Whether it also reads what is derived from rows. Default true. */
  derived?: boolean
}

/** Batches blocks of one table into inserts. */
export interface InsertBatcher {
  /**
   * Resolves once the rows are durable.
   * @throws StoreError `busy` immediately when the queue is full; `data` when these rows were rejected; `unavailable` when the store remained
   * unreachable.
   */
  add(block: NamedRows): Promise<void>
  /** Resolves once every row acknowledged so far that a read may need is in the table. Default: every row. */
  flush(read?: RowsNeeded): Promise<void>
  /** Bytes queued or being written. */
  readonly waitingBytes: number
  /** Age of the oldest queued block in milliseconds; 0 when none is queued. */
  readonly oldestWaitingMs: number
  /** Accepts no more blocks, and resolves once all accepted blocks are settled. */
  close(): Promise<void>
}

interface Entry {
  block: NamedRows
  sinceMs: number
  resolve(): void
  reject(error: StoreError): void
}

const longestPauseMs = 2_000

const retried = new Set(['memory', 'timeout', 'unavailable', 'busy'])

/** Acknowledges rows after they are written. Blocks that arrive during an insert are queued and written together in the next one. */
export function createInsertBatcher(options: InsertBatcherOptions): InsertBatcher {
  const { write, timing, maxRows = 2_000, maxBytes = 8 << 20, maxWaitingBytes = 64 << 20, maxWaitingMs = 2_000 } = options
  const { maxAttempts = 8, maxRetryMs = 10_000 } = options
  const waiting: Entry[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function oldestWaitingMs(): number {
    const oldest = waiting[0]
    return oldest ? timing.now() - oldest.sinceMs : 0
  }

  function assertCapacity(block: RowBlock): void {
    if (isClosed) throw storeIsClosing()
    const isOverLimit = waitingBytes > 0 && waitingBytes + block.bytes.byteLength > maxWaitingBytes
    if (!isOverLimit && oldestWaitingMs() <= maxWaitingMs) return
    throw new StoreError('busy', `${waitingBytes} bytes are queued for writing, the oldest for ${Math.round(oldestWaitingMs())} ms`, {
      retryAfterSeconds: 1,
    })
  }

  function takeBatch(): Entry[] {
    let rows = 0
    let bytes = 0
    let count = 0
    for (const { block } of waiting) {
      rows += block.rows
      bytes += block.bytes.byteLength
      if (count > 0 && (rows > maxRows || bytes > maxBytes)) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function writeWithRetries(batch: readonly Entry[]): Promise<void> {
    const beganAt = timing.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(batch.map((entry) => entry.block))
      } catch (error) {
        if (!(error instanceof StoreError) || !retried.has(error.kind)) throw error
        if (attempt === maxAttempts || timing.now() - beganAt > maxRetryMs)
          throw new StoreError('unavailable', `insert failed after ${attempt} attempts: ${error.message}`, { cause: error })
        // The rows may have been written already: the table deduplicates them.
        await sleep(timing, Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + timing.random()))
      }
    }
  }

  function settle(batch: readonly Entry[], outcome: (entry: Entry) => void): void {
    for (const entry of batch) {
      waitingBytes -= entry.block.bytes.byteLength
      outcome(entry)
    }
  }

  /** Bisects a batch that the store rejects, so that only the invalid blocks are rejected. */
  async function writeBatch(batch: readonly Entry[]): Promise<void> {
    try {
      await writeWithRetries(batch)
      settle(batch, (entry) => entry.resolve())
    } catch (error) {
      const failure = error instanceof StoreError ? error : new StoreError('failed', String(error), { cause: error })
      if (failure.kind !== 'data' || batch.length === 1) {
        settle(batch, (entry) => entry.reject(failure))
        return
      }
      const middle = batch.length >> 1
      await writeBatch(batch.slice(0, middle))
      await writeBatch(batch.slice(middle))
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      await writeBatch(batch)
    }
    running = undefined
  }

  return {
    async add(block) {
      if (block.rows === 0) return
      assertCapacity(block)
      waitingBytes += block.bytes.byteLength
      const settled = new Promise<void>((resolve, reject) => waiting.push({ block, sinceMs: timing.now(), resolve, reject }))
      // Blocks added in the same event-loop tick share an insert.
      running ??= Promise.resolve().then(run)
      await settled
    },
    flush: () => Promise.resolve(),
    get waitingBytes() {
      return waitingBytes
    },
    get oldestWaitingMs() {
      return oldestWaitingMs()
    },
    async close() {
      isClosed = true
      await running
    },
  }
}

/** What writers get once a store is closing. */
export function storeIsClosing(): StoreError {
  return new StoreError('unavailable', 'the store is closing')
}
