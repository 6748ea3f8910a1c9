import { sleep, type Timing } from '../timing.ts'
import { StoreError, type RowBlock } from './analytical.ts'

/** Rows in RowBinary with the names of their columns in order. */
export interface NamedRows extends RowBlock {
  columns: readonly string[]
}

export interface InsertBatcherOptions {
  /** Writes the blocks as one insert; resolves when they are durable. */
  write(blocks: readonly NamedRows[]): Promise<void>
  timing: Timing
  /** Rows of one insert. A block is never divided, so a larger block is an insert of its own. Default 2 000. */
  maxRows?: number
  /** Bytes of one insert. Default 8 MiB. */
  maxBytes?: number
  /** Bytes that may wait. Default 64 MiB. */
  maxWaitingBytes?: number
  /** Milliseconds that the oldest block may have waited before further ones are refused. Default 2 000. */
  maxWaitingMs?: number
  /** Attempts of an insert that failed for a reason that may pass. Default 8, over some 7 seconds: an engine that was killed is back by then. */
  maxAttempts?: number
}

/** Gathers blocks of one table into inserts. */
export interface InsertBatcher {
  /**
   * Resolves when the rows are durable.
   * @throws StoreError `busy` at once when too much waits; `data` when these rows were refused; `unavailable` when the store stayed away.
   */
  add(block: NamedRows): Promise<void>
  /** Resolves when every row that was acknowledged before is in the table. */
  readable(): Promise<void>
  /** Bytes waiting or being written. */
  readonly waitingBytes: number
  /** Milliseconds since the oldest waiting block came; 0 when none waits. */
  readonly oldestWaitingMs: number
  /** Accepts nothing more and resolves when all that was accepted is settled. */
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

/** Writes rows before it acknowledges them: while an insert is under way the next blocks wait, and then go together. */
export function createInsertBatcher(options: InsertBatcherOptions): InsertBatcher {
  const { write, timing, maxRows = 2_000, maxBytes = 8 << 20, maxWaitingBytes = 64 << 20, maxWaitingMs = 2_000, maxAttempts = 8 } = options
  const waiting: Entry[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  let isClosed = false

  function oldestWaitingMs(): number {
    const oldest = waiting[0]
    return oldest ? timing.now() - oldest.sinceMs : 0
  }

  function refuseIfFull(block: RowBlock): void {
    if (isClosed) throw new StoreError('unavailable', 'the store is closing')
    const isOver = waitingBytes > 0 && waitingBytes + block.bytes.byteLength > maxWaitingBytes
    if (!isOver && oldestWaitingMs() <= maxWaitingMs) return
    throw new StoreError('busy', `${waitingBytes} bytes wait to be written, the oldest for ${Math.round(oldestWaitingMs())} ms`, {
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
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(batch.map((entry) => entry.block))
      } catch (error) {
        if (!(error instanceof StoreError) || !retried.has(error.kind)) throw error
        if (attempt === maxAttempts)
          throw new StoreError('unavailable', `insert given up after ${attempt} attempts: ${error.message}`, { cause: error })
        // The same rows may have arrived already: the table keeps one of them.
        await sleep(timing, Math.min(50 * 2 ** attempt, longestPauseMs) * (0.5 + timing.random()))
      }
    }
  }

  function end(batch: readonly Entry[], tell: (entry: Entry) => void): void {
    for (const entry of batch) {
      waitingBytes -= entry.block.bytes.byteLength
      tell(entry)
    }
  }

  /** Rows that the store refuses are searched by halves, so that they alone are rejected. */
  async function settle(batch: readonly Entry[]): Promise<void> {
    try {
      await writeWithRetries(batch)
      end(batch, (entry) => entry.resolve())
    } catch (error) {
      const failure = error instanceof StoreError ? error : new StoreError('failed', String(error), { cause: error })
      if (failure.kind !== 'data' || batch.length === 1) {
        end(batch, (entry) => entry.reject(failure))
        return
      }
      const middle = batch.length >> 1
      await settle(batch.slice(0, middle))
      await settle(batch.slice(middle))
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = takeBatch()
      await settle(batch)
    }
    running = undefined
  }

  return {
    async add(block) {
      if (block.rows === 0) return
      refuseIfFull(block)
      waitingBytes += block.bytes.byteLength
      const settled = new Promise<void>((resolve, reject) => waiting.push({ block, sinceMs: timing.now(), resolve, reject }))
      // Blocks that come in the same turn of the event loop go together.
      running ??= Promise.resolve().then(run)
      await settled
    },
    readable: () => Promise.resolve(),
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
