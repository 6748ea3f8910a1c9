import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../analytical.ts'
import type { NamedRows } from '../committer.ts'
import { makeFolder, syncFolder } from '../../durable-folders.ts'
import {
  createPart,
  highestNumber,
  movePart,
  numberOfPart,
  recoverPart,
  removePart,
  type JournalPart,
  type OpenPart,
} from './journal-part.ts'

/** The rows of one table that are acknowledged and not yet in it, on disk. */
export interface Journal {
  /**
   * Resolves when the block is on disk. Blocks that come while others are written go together, with one sync.
   * @throws StoreError `full` when the disk is, `failed` for any other fault of it.
   */
  append(block: NamedRows): Promise<void>
  /** Takes the oldest part away from appending; undefined when the journal holds nothing. It comes again until it is removed. */
  next(): Promise<JournalPart | undefined>
  /** Forgets a part whose rows are in the table. */
  remove(part: JournalPart): Promise<void>
  /** Makes parts of single blocks out of a part that the table refuses, in its place. */
  divide(part: JournalPart): Promise<void>
  /** Takes a part out of the journal and keeps its files in the folder `refused`, for people to look at. Returns where its rows are. */
  setAside(part: JournalPart): Promise<string>
  /** Blocks that were ever appended, or found at the start. */
  readonly appended: number
  /** Bytes of rows in the journal. */
  readonly bytes: number
  /** Resolves when what was appended is on disk and the files are closed. */
  close(): Promise<void>
}

interface Waiting {
  block: NamedRows
  resolve(): void
  reject(error: StoreError): void
}

/** Names of the tables that have a journal in `folder`. */
export async function journaledTables(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return readdir(folder)
}

/** Opens the journal of a table in `folder`, with what an earlier process left there. */
export async function openJournal(folder: string): Promise<Journal> {
  await makeFolder(folder)
  const refused = join(folder, 'refused')
  // Also a file that stayed behind alone, and what was set aside, keeps its number.
  let number = 1 + Math.max(...(await Promise.all([folder, refused].map(highestIn))))
  const closed: JournalPart[] = await recoverParts(folder)
  let growing: OpenPart | undefined
  const ended: OpenPart[] = []
  let bytes = closed.reduce((sum, part) => sum + part.bytes, 0)
  let appended = closed.reduce((sum, part) => sum + part.blocks.length, 0)
  let waiting: Waiting[] = []
  let isWriting = false
  let batchUnderWay: Promise<void> | undefined

  async function write(batch: readonly [Waiting, ...Waiting[]]): Promise<void> {
    try {
      growing ??= await startPart(folder, number++, batch[0].block.columns)
      await growing.append(batch.map(({ block }) => block))
      for (const { block, resolve } of batch) {
        bytes += block.bytes.byteLength
        appended++
        resolve()
      }
    } catch (error) {
      const failure = toFailure(error)
      for (const { reject } of batch) reject(failure)
      stopGrowing()
    }
  }

  function takeWaiting(): Waiting[] {
    const taken = waiting
    waiting = []
    return taken
  }

  async function writeAll(): Promise<void> {
    for (let [first, ...others] = takeWaiting(); first; [first, ...others] = takeWaiting()) {
      batchUnderWay = write([first, ...others])
      await batchUnderWay
    }
    isWriting = false
  }

  function stopGrowing(): void {
    if (growing) ended.push(growing)
    growing = undefined
  }

  /** Closes the files of parts that grow no more; one that fails is tried again the next time. */
  async function closeEnded(): Promise<void> {
    await batchUnderWay
    for (let part = ended[0]; part; part = ended[0]) {
      await part.close()
      ended.shift()
      if (part.bytes > 0) closed.push(part)
      else await removePart(part)
    }
  }

  return {
    append(block) {
      const done = new Promise<void>((resolve, reject) => waiting.push({ block, resolve, reject }))
      // Blocks that come in the same turn of the event loop go together.
      if (!isWriting) queueMicrotask(() => void writeAll())
      isWriting = true
      return done
    },
    async next() {
      if (closed.length > 0) return closed[0]
      stopGrowing()
      await closeEnded()
      return closed[0]
    },
    async remove(part) {
      const at = closed.indexOf(part)
      if (at < 0) return
      // Files that cannot be removed stay in the journal: the part comes again, and writing it again is harmless.
      await removePart(part)
      closed.splice(at, 1)
      bytes -= part.bytes
    },
    async divide(part) {
      const rows = await readFile(part.rowsPath)
      let from = 0
      const pieces: JournalPart[] = []
      for (const size of part.blocks) {
        const piece = await startPart(folder, number++, part.columns)
        await piece.append([{ bytes: rows.subarray(from, from + size), rows: 0, columns: part.columns }])
        await piece.close()
        pieces.push(piece)
        from += size
      }
      closed.splice(closed.indexOf(part), 1, ...pieces)
      await removePart(part)
    },
    async setAside(part) {
      await makeFolder(refused)
      const path = await movePart(part, refused)
      closed.splice(closed.indexOf(part), 1)
      bytes -= part.bytes
      return path
    },
    get bytes() {
      return bytes
    },
    get appended() {
      return appended
    },
    async close() {
      while (isWriting) await (batchUnderWay ?? Promise.resolve())
      stopGrowing()
      await closeEnded()
    },
  }
}

/** 0 also for a folder that is not there. */
async function highestIn(folder: string): Promise<number> {
  return highestNumber(await readdir(folder).catch(() => []))
}

async function recoverParts(folder: string): Promise<JournalPart[]> {
  const numbers = (await readdir(folder)).map(numberOfPart).filter((each) => each !== undefined)
  const parts: JournalPart[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const part = await recoverPart(folder, number)
    if (part.bytes > 0) parts.push(part)
    else await removePart(part)
  }
  return parts
}

async function startPart(folder: string, number: number, columns: readonly string[]): Promise<OpenPart> {
  const part = await createPart(folder, number, columns)
  await syncFolder(folder)
  return part
}

function toFailure(error: unknown): StoreError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StoreError('full', 'the disk of the store is full', { cause: error })
  return new StoreError('failed', `the journal cannot be written: ${String(error)}`, { cause: error })
}
