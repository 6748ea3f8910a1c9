import { StoreError } from './analytical.ts'
import type { InsertBatcher, NamedRows } from './insert-batcher.ts'
import type { JournalPart } from './journal/journal-part.ts'
import type { Journal } from './journal/journal.ts'
import { toFileFailure } from '../file-failure.ts'
import { sleep, type Timing } from '../timing.ts'

/** Rows that were acknowledged and that the table does not take. */
export interface RefusedRows {
  /** File that keeps them. */
  path: string
  /** Its words may quote the rows. */
  error: StoreError
}

export interface JournaledBatcherOptions {
  journal: Journal
  /** Writes the rows of a part into the table; durable when it resolves. Writing a part again is harmless. */
  write(part: JournalPart): Promise<void>
  /** Told when the table refuses rows that were acknowledged, and where they are kept: this is a fault of ours. */
  onRefused(refusal: RefusedRows): void
  /** Throws StoreError `full` when the disk has no room for so many bytes in the journal, beside what is there and has to go to its table. */
  assertDiskSpace(bytes: number): Promise<void>
  timing: Timing
  /** Bytes in the journal at which they are written to the table without waiting for more. Default 16 MiB. */
  batchBytes?: number
  /** Milliseconds that rows wait in the journal for others, unless a reader wants them. Default 500. */
  lingerMs?: number
  /** Bytes in the journal above which writers wait for room. Default 48 MiB. */
  journalBytes?: number
  /** Bytes that may wait for room; more are refused. Default 64 MiB. */
  maxWaitingBytes?: number
  /** Milliseconds that a writer waits for room. Default 2 000. */
  maxWaitingMs?: number
}

interface Reader {
  /** Blocks that must be in the table. */
  until: number
  resolve(): void
  reject(error: StoreError): void
}

interface Writer {
  bytes: number
  sinceMs: number
  enter(): void
  refuse(error: StoreError): void
}

const firstPauseMs = 50
const longestPauseMs = 2_000
/** Attempts after which readers are told that the table does not take what was acknowledged: an engine that was killed is back by then. */
const patientAttempts = 6

/**
 * Acknowledges rows once they are in a journal on disk and writes them to the table many at a time: an insert costs as much
 * as the rows of hundreds of calls. A reader has what waits written first, so whatever was acknowledged is read.
 */
export function createJournaledBatcher(options: JournaledBatcherOptions): InsertBatcher {
  const { journal, write, onRefused, assertDiskSpace, timing } = options
  const { batchBytes = 16 << 20, lingerMs = 500, journalBytes = 48 << 20, maxWaitingBytes = 64 << 20, maxWaitingMs = 2_000 } = options
  const writers: Writer[] = []
  const readers: Reader[] = []
  /** Blocks on their way into the journal. */
  const underWay = new Set<Promise<void>>()
  let waitingBytes = 0
  let underWayBytes = 0
  let written = 0
  let running: Promise<void> | undefined
  let wake: () => void = () => {}
  /** Why the table takes nothing more at the moment: its disk is full. */
  let full: StoreError | undefined
  let isClosed = false

  function hasCapacity(bytes: number): boolean {
    const used = journal.bytes + underWayBytes
    return used === 0 || used + bytes <= journalBytes
  }

  function oldestWaitingMs(): number {
    return writers[0] ? timing.now() - writers[0].sinceMs : 0
  }

  /** Resolves when the journal has room for so many bytes, after the writers that came before. */
  function room(bytes: number): Promise<void> {
    if (writers.length === 0 && hasCapacity(bytes)) {
      underWayBytes += bytes
      return Promise.resolve()
    }
    if (isClosed) throw closing()
    if (full) throw full
    if (waitingBytes + bytes > maxWaitingBytes || oldestWaitingMs() > maxWaitingMs)
      throw busy(`${waitingBytes} bytes wait for the store, the oldest for ${Math.round(oldestWaitingMs())} ms`)
    return new Promise((resolve, reject) => {
      const cancel = timing.after(maxWaitingMs, () => {
        leave()
        reject(busy(`the store had no room within ${maxWaitingMs} ms`))
      })
      const leave = () => {
        cancel()
        writers.splice(writers.indexOf(writer), 1)
        waitingBytes -= bytes
      }
      const writer: Writer = {
        bytes,
        sinceMs: timing.now(),
        enter() {
          leave()
          underWayBytes += bytes
          resolve()
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      waitingBytes += bytes
      writers.push(writer)
    })
  }

  function admitWriters(): void {
    for (let writer = writers[0]; writer && hasCapacity(writer.bytes); writer = writers[0]) writer.enter()
  }

  function rejectWriters(error: StoreError): void {
    while (writers[0]) writers[0].refuse(error)
  }

  function resolveReaders(): void {
    while (readers[0] && (readers[0].until <= written || full)) readers.shift()?.resolve()
  }

  /** Waits for more rows, but not for long, nor when someone waits for those that are there. */
  async function linger(): Promise<void> {
    const isDue = () => readers.length > 0 || isClosed || journal.bytes >= batchBytes
    if (isDue()) return
    await new Promise<void>((resolve) => {
      const cancel = timing.after(lingerMs, resolve)
      wake = () => {
        if (!isDue()) return
        cancel()
        resolve()
      }
    })
    wake = () => {}
  }

  async function writeOldest(): Promise<void> {
    const part = await journal.next()
    if (!part) return
    try {
      await write(part)
      full = undefined
      // Readers need not wait until the files are gone.
      void journal.remove(part)
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'data') throw error
      // One block that the table refuses must not hold back the others.
      if (part.blocks.length > 1) return journal.divide(part)
      onRefused({ path: await journal.setAside(part), error })
    }
    written += part.blocks.length
  }

  function rejectReaders(error: unknown): void {
    const failure = error instanceof StoreError ? error : new StoreError('failed', String(error), { cause: error })
    for (const reader of readers.splice(0)) reader.reject(failure)
  }

  async function run(): Promise<void> {
    for (let attempt = 1; written < journal.appended;) {
      if (attempt === 1) await linger()
      try {
        await writeOldest()
        attempt = 1
      } catch (failure) {
        const error = toFileFailure(failure, 'journal')
        // What is acknowledged stays in the journal until the table takes it.
        full = error instanceof StoreError && error.kind === 'full' ? error : undefined
        if (isClosed) {
          resolveReaders()
          rejectReaders(error)
          break
        }
        if (full) rejectWriters(full)
        else if (attempt >= patientAttempts) rejectReaders(error)
        await sleep(timing, Math.min(firstPauseMs * 2 ** attempt++, longestPauseMs) * (0.5 + timing.random()))
      }
      admitWriters()
      resolveReaders()
    }
    running = undefined
  }

  function start(): void {
    running ??= Promise.resolve().then(run)
    wake()
  }

  async function take(block: NamedRows): Promise<void> {
    const bytes = block.bytes.byteLength
    if (!block.onlyDeletes) await assertDiskSpace(bytes)
    await room(bytes)
    await journal.append(block).finally(() => {
      underWayBytes -= bytes
      admitWriters()
    })
    start()
  }

  if (journal.bytes > 0) start()

  return {
    async add(block) {
      if (block.bytes.byteLength === 0) return
      if (isClosed) throw closing()
      const taken = take(block)
      underWay.add(taken)
      await taken.finally(() => underWay.delete(taken))
    },
    readable() {
      const until = journal.appended
      if (written >= until || full) return Promise.resolve()
      return new Promise((resolve, reject) => {
        readers.push({ until, resolve, reject })
        start()
      })
    },
    get waitingBytes() {
      return journal.bytes + waitingBytes
    },
    get oldestWaitingMs() {
      return oldestWaitingMs()
    },
    async close() {
      isClosed = true
      rejectWriters(closing())
      await Promise.allSettled(underWay)
      if (written < journal.appended) start()
      await running
      await journal.close()
    },
  }
}

function closing(): StoreError {
  return new StoreError('unavailable', 'the store is closing')
}

function busy(message: string): StoreError {
  return new StoreError('busy', message, { retryAfterSeconds: 1 })
}
