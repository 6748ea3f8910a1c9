import { StoreError } from '../../work/store-error.ts'
import type { TouchedTrace } from '../derived/touched-trace.ts'
import { type InsertBatcher, storeIsClosing } from './insert-batcher.ts'
import type { NamedRows } from '../rows/named-rows.ts'
import { createJournalCapacity } from '../journal/journal-capacity.ts'
import { createJournalPace } from '../journal/journal-pace.ts'
import type { JournalPart } from '../journal/journal-part.ts'
import type { Journal } from '../journal/journal.ts'
import { createRecentBytes } from '../journal/recent-bytes.ts'
import { createPendingProjects } from './pending-projects.ts'
import { toFileFailure } from '../../file-failure.ts'
import { invariant } from '../../invariant.ts'
import { sleep, type Timing } from '../../timing.ts'

/** Acknowledged rows that the table rejects. */
export interface RefusedRows {
  /** File in which they are kept. */
  path: string
  /** Its message may quote the rows. */
  error: StoreError
}

/** Derives rows of other tables from inserted rows. */
export interface BatchDerivation {
  /** The traces that a block touches. */
  tracesOf(block: NamedRows): readonly TouchedTrace[]
  /**
   * Derives rows for the traces of some blocks, and of a part of an earlier process. Reads of derived rows wait for it, and the part is removed after
   * it. If it throws, it is retried with the write.
   */
  derive(rows: { touched: readonly TouchedTrace[]; leftover: JournalPart | undefined }): Promise<void>
}

export interface JournaledBatcherOptions {
  journal: Journal
  /** Writes the rows of a journal part to the table. Durable once it resolves, and idempotent. */
  write(part: JournalPart): Promise<void>
  /** Derives further rows from the written ones. Default: nothing. */
  derivation?: BatchDerivation
  /** Called when the table rejects acknowledged rows, which is a bug, with the file in which they are kept. */
  onRefused(refusal: RefusedRows): void
  /** Throws StoreError `full` when the disk cannot hold this many more bytes in the journal and, later, in the table. */
  assertDiskSpace(bytes: number): Promise<void>
  timing: Timing
  /** Bytes in the journal that trigger an insert without lingering. Default 16 MiB. */
  batchBytes?: number
  /** Milliseconds for which rows linger in the journal to be batched, unless a reader waits for them. Default 500. */
  lingerMs?: number
  /** Capacity of the journal in bytes; writers beyond it are queued. Default 48 MiB. */
  journalBytes?: number
  /** Longest pause of a writer in milliseconds, when the journal is full; there is none up to two thirds of its capacity. Default 200. */
  longestPauseMs?: number
  /** Maximum bytes that may be queued for capacity. Default 64 MiB. */
  maxWaitingBytes?: number
  /** Milliseconds that a writer may be queued for capacity. Default 2 000. */
  maxWaitingMs?: number
}

/** A block between its arrival and the derivation of rows from it. */
interface PendingBlock {
  touched: readonly TouchedTrace[]
  /** The block is in the table once this many blocks are. Infinite until it is in the journal. */
  until: number
}

interface Reader {
  /** Number of blocks that must be in the table. */
  until: number
  /** Whether rows derived from them must be written too. */
  derived: boolean
  resolve(): void
  reject(error: StoreError): void
}

const firstPauseMs = 50
const longestRetryPauseMs = 2_000
/** Attempts after which waiting readers are rejected; enough for a killed engine to restart. */
const attemptsBeforeReadersFail = 6

/**
 * Acknowledges rows once they are in a journal on disk, and writes them to the table in batches: an insert costs as much
 * as the rows of hundreds of calls. A read triggers the write and waits for it, so acknowledged rows are always read.
 */
export function createJournaledBatcher(options: JournaledBatcherOptions): InsertBatcher {
  const { journal, write, onRefused, assertDiskSpace, timing } = options
  const { batchBytes = 16 << 20, lingerMs = 500, journalBytes = 48 << 20, maxWaitingBytes = 64 << 20, maxWaitingMs = 2_000 } = options
  const { longestPauseMs = 200, derivation } = options
  /** Blocks that an earlier process left: the first ones to be written. */
  const leftover = journal.appended
  const added = new Set<PendingBlock>()
  const pending = createPendingProjects(leftover)
  let readers: Reader[] = []
  /** Writes to the journal in flight. */
  const inFlight = new Set<Promise<void>>()
  /** Parts whose rows are in the table. */
  const finished = new WeakSet<JournalPart>()
  /** Number of blocks in the table, and of those from which rows were also derived. */
  let inserted = 0
  let written = 0
  let running: Promise<void> | undefined
  let wake: () => void = () => {}
  /** Set while the disk of the table is full. */
  let full: StoreError | undefined
  let isClosed = false

  const recent = createRecentBytes(timing)
  const capacity = createJournalCapacity({
    usedBytes: () => journal.bytes,
    recentBytesOf: (tenant) => recent.bytesOf(tenant),
    maxBytes: journalBytes,
    maxWaitingBytes,
    maxWaitingMs,
    findRefusal: () => (isClosed ? storeIsClosing() : full),
    timing,
  })

  const easyBytes = (journalBytes * 2) / 3
  const pace = createJournalPace({
    usedBytes: () => journal.bytes,
    easyBytes,
    maxBytes: journalBytes,
    longestMs: longestPauseMs,
    maxPausingBytes: journalBytes - easyBytes,
    recent,
    timing,
  })

  const mayRead = ({ until, derived }: Pick<Reader, 'until' | 'derived'>) => until <= (derived ? written : inserted) || full !== undefined

  function resolveReaders(): void {
    const resolved = readers.filter(mayRead)
    readers = readers.filter((reader) => !mayRead(reader))
    for (const { resolve } of resolved) resolve()
  }

  /** Waits up to `lingerMs` for more rows, unless a reader waits or the batch is full. */
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
    // Blocks added from here on go into later parts.
    const begun = [...added]
    checkPart(part)
    try {
      await write(part)
      inserted = Math.max(inserted, written + part.blocks.length)
      resolveReaders()
      await derivePart(part, begun)
      finished.add(part)
      full = undefined
      // Readers need not wait for the files to be removed.
      void journal.remove(part)
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'data') throw error
      // One rejected block must not block the others.
      if (part.blocks.length > 1) return journal.split(part)
      onRefused({ path: await journal.quarantine(part), error })
    }
    written += part.blocks.length
    inserted = Math.max(inserted, written)
    for (const each of added) if (each.until <= written) added.delete(each)
    pending.forget(written)
  }

  /** A part that fails remains in the journal. */
  function checkPart(part: JournalPart): void {
    const { rowsPath, blocks, bytes } = part
    invariant(!finished.has(part), 'journal.parts-are-written-once', () => rowsPath)
    const sum = blocks.reduce((total, block) => total + block.bytes, 0)
    invariant(sum === bytes, 'journal.blocks-fill-their-part', () => `${rowsPath} has ${bytes} bytes, its blocks ${sum}`)
    const end = written + blocks.length
    invariant(end <= journal.appended, 'journal.writes-only-appended', () => `${end} blocks of ${journal.appended}`)
  }

  /** A block that may be in the part counts as if it were: deriving twice is harmless. */
  async function derivePart(part: JournalPart, begun: readonly PendingBlock[]): Promise<void> {
    const end = written + part.blocks.length
    const touched = begun.filter(({ until }) => until <= end || until === Infinity).flatMap((block) => block.touched)
    await derivation?.derive({ touched, leftover: written < leftover ? part : undefined })
  }

  function rejectReaders(error: unknown): void {
    const failure = error instanceof StoreError ? error : new StoreError('failed', String(error), { cause: error })
    const rejected = readers
    readers = []
    for (const { reject } of rejected) reject(failure)
  }

  async function run(): Promise<void> {
    for (let attempt = 1; written < journal.appended;) {
      if (attempt === 1) await linger()
      try {
        await writeOldest()
        attempt = 1
      } catch (failure) {
        const error = toFileFailure(failure, 'journal')
        // Acknowledged rows remain in the journal until the table has them.
        full = error instanceof StoreError && error.kind === 'full' ? error : undefined
        if (isClosed) {
          resolveReaders()
          rejectReaders(error)
          break
        }
        if (full) capacity.rejectAll(full)
        else if (attempt >= attemptsBeforeReadersFail) rejectReaders(error)
        await sleep(timing, Math.min(firstPauseMs * 2 ** attempt++, longestRetryPauseMs) * (0.5 + timing.random()))
      }
      pace.release()
      capacity.admit()
      resolveReaders()
    }
    running = undefined
  }

  function start(): void {
    running ??= Promise.resolve().then(run)
    wake()
  }

  async function append(block: NamedRows): Promise<void> {
    const bytes = block.bytes.byteLength
    if (!block.onlyDeletes) await assertDiskSpace(bytes)
    const { tenant = '' } = block
    await pace.pause(tenant, bytes)
    await capacity.acquire(tenant, bytes)
    const own: PendingBlock = { touched: derivation?.tracesOf(block) ?? [], until: Infinity }
    if (derivation) added.add(own)
    try {
      await journal.append(block)
    } catch (error) {
      added.delete(own)
      throw error
    } finally {
      capacity.release(bytes)
    }
    own.until = journal.appended
    // Its part may have been written before its append was reported.
    if (own.until <= written) added.delete(own)
    else pending.note(block.projects, own.until)
    start()
  }

  if (journal.bytes > 0) start()

  return {
    async add(block) {
      if (block.bytes.byteLength === 0) return
      if (isClosed) throw storeIsClosing()
      const appended = append(block)
      inFlight.add(appended)
      await appended.finally(() => inFlight.delete(appended))
    },
    flush({ projects, derived = true } = {}) {
      const until = projects === undefined ? journal.appended : pending.lastOf(projects)
      if (mayRead({ until, derived })) return Promise.resolve()
      return new Promise((resolve, reject) => {
        readers.push({ until, derived, resolve, reject })
        start()
      })
    },
    get waitingBytes() {
      return journal.bytes + pace.pausingBytes + capacity.waitingBytes
    },
    get oldestWaitingMs() {
      return capacity.oldestWaitingMs
    },
    async close() {
      isClosed = true
      capacity.rejectAll(storeIsClosing())
      await Promise.allSettled(inFlight)
      if (written < journal.appended) start()
      await running
      await journal.close()
    },
  }
}
