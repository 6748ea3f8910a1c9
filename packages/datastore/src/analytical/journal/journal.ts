import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { NamedRows } from '../committer.ts'
import { makeFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { toFileFailure } from '../../file-failure.ts'
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
   * @throws StoreError `full` when the disk is, `busy` when too many files are open, `failed` for any other fault.
   */
  append(block: NamedRows): Promise<void>
  /** Takes the oldest part away from appending; undefined when the journal holds nothing. It comes again until it is removed. */
  next(): Promise<JournalPart | undefined>
  /** Forgets a part whose rows are in the table. It does not come again, even where its files cannot be removed at the moment. */
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
  reject(error: unknown): void
}

/** Names of the tables that have a journal in `folder`. @throws StoreError */
export async function journaledTables(folder: string): Promise<string[]> {
  try {
    await makeFolder(folder, dirname(folder))
    return await readdir(folder)
  } catch (error) {
    throw toFileFailure(error, 'journal')
  }
}

/** Opens the journal of a table in `folder`, with what an earlier process left there. @throws StoreError, as `append` does */
export async function openJournal(folder: string): Promise<Journal> {
  try {
    return await open(folder)
  } catch (error) {
    throw toFileFailure(error, 'journal')
  }
}

async function open(folder: string): Promise<Journal> {
  await makeFolder(folder, dirname(dirname(folder)))
  const refused = join(folder, 'refused')
  // Also a file that stayed behind alone, and what was set aside, keeps its number.
  let number = 1 + Math.max(...(await Promise.all([folder, refused].map(highestIn))))
  const closed: JournalPart[] = await recoverParts(folder)
  let growing: OpenPart | undefined
  const ended: OpenPart[] = []
  const needless: JournalPart[] = []
  let bytes = closed.reduce((sum, part) => sum + part.bytes, 0)
  let appended = closed.reduce((sum, part) => sum + part.blocks.length, 0)
  let waiting: Waiting[] = []
  let isWriting = false
  let batchUnderWay: Promise<void> | undefined

  async function write(batch: readonly [Waiting, ...Waiting[]]): Promise<void> {
    try {
      growing ??= await createPart(folder, number++, batch[0].block.columns)
      await growing.append(batch.map(({ block }) => block))
      for (const { block, resolve } of batch) {
        bytes += block.bytes.byteLength
        appended++
        resolve()
      }
    } catch (error) {
      const failure = toFileFailure(error, 'journal')
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

  /** What cannot be removed is tried again the next time. Should the process end before, writing it again is harmless. */
  async function removeNeedless(): Promise<void> {
    for (const part of needless.splice(0)) await removePart(part).catch(() => needless.push(part))
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
      closed.splice(at, 1)
      bytes -= part.bytes
      needless.push(part)
      await removeNeedless()
    },
    async divide(part) {
      const pieces: OpenPart[] = []
      try {
        for await (const block of blocksOf(part)) {
          const piece = await createPart(folder, number++, part.columns)
          pieces.push(piece)
          await piece.append([block])
          await piece.close()
        }
      } catch (error) {
        // The part itself comes again.
        for (const piece of pieces) await piece.discard()
        throw error
      }
      closed.splice(closed.indexOf(part), 1, ...pieces)
      needless.push(part)
      await removeNeedless()
    },
    async setAside(part) {
      await makeFolder(refused, folder)
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
      await removeNeedless()
    },
  }
}

async function* blocksOf({ rowsPath, columns, blocks }: JournalPart): AsyncGenerator<NamedRows> {
  const rows = await readFile(rowsPath)
  let from = 0
  for (const size of blocks) {
    yield { bytes: rows.subarray(from, from + size), rows: 0, columns }
    from += size
  }
}

/** 0 also for a folder that is not there. */
async function highestIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return highestNumber(names)
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
