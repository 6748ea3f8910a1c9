import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { NamedRows } from '../insert-batcher.ts'
import { makeFolder, syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { toFileFailure } from '../../file-failure.ts'
import { damagedFolder, type JournalDamage } from './journal-damage.ts'
import { createPart, type JournalPart, movePart, noteWritten, numberOfPart, type OpenPart, removeNote, removeRows } from './journal-part.ts'
import { recoverParts } from './recover-parts.ts'

/** The rows of one table that are acknowledged and not yet in it, on disk. */
export interface Journal {
  /**
   * Resolves when the block is on disk. Blocks that come while others are written go together, with one sync.
   * @throws StoreError `full` when the disk is, `busy` when too many files are open, `failed` for any other fault.
   */
  append(block: NamedRows): Promise<void>
  /** Takes the oldest part away from appending; undefined when the journal holds nothing. It comes again until it is removed. */
  next(): Promise<JournalPart | undefined>
  /**
   * Forgets a part whose rows are in the table: it does not come again. Resolves when its rows are gone from the disk, or could not be removed at
   * the moment; never rejects.
   */
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

export interface JournalOptions {
  /** Lists of columns that the table's rows may have: by these the first line of a damaged file is known again. */
  columns?: readonly (readonly string[])[]
  /** Called for each part whose files are damaged, after they were set aside in the folder `damaged`. */
  onDamage?: (damage: JournalDamage) => void
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
export async function openJournal(folder: string, options: JournalOptions = {}): Promise<Journal> {
  try {
    return await open(folder, options)
  } catch (error) {
    throw toFileFailure(error, 'journal')
  }
}

async function open(folder: string, { columns: known = [], onDamage = () => undefined }: JournalOptions): Promise<Journal> {
  await makeFolder(folder, dirname(dirname(folder)))
  const refused = join(folder, 'refused')
  const kept = (await Promise.all([refused, join(folder, damagedFolder)].map(numbersIn))).flat()
  // Also a file that stayed behind alone, and what was set aside, keeps its number.
  let number = 1 + Math.max(0, ...kept, ...(await numbersIn(folder)))
  const { parts: closed, written: needless } = await recoverParts(folder, { kept, known, onDamage, nextNumber: () => number++ })
  let growing: OpenPart | undefined
  const ended: OpenPart[] = []
  /** Parts that are noted as written, without rows. */
  const noted: JournalPart[] = []
  let bytes = closed.reduce((sum, part) => sum + part.bytes, 0)
  let appended = closed.reduce((sum, part) => sum + part.blocks.length, 0)
  let waiting: Waiting[] = []
  let isWriting = false
  let batchUnderWay: Promise<void> | undefined
  let removing: Promise<void> = Promise.resolve()

  async function write(batch: readonly [Waiting, ...Waiting[]]): Promise<void> {
    try {
      const part = (growing ??= await createPart(folder, number++, batch[0].block.columns))
      await part.append(batch.map(({ block }) => block))
      for (const { block, resolve } of batch) {
        bytes += block.bytes.byteLength
        appended++
        resolve()
      }
      if (waiting.length === 0) await part.mark()
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
  function removeNeedless(): Promise<void> {
    removing = removing.then(removeWritten).catch(() => undefined)
    return removing
  }

  async function removeWritten(): Promise<void> {
    const parts = needless.splice(0)
    const gone: JournalPart[] = []
    try {
      for (const part of parts) await noteWritten(part)
      if (parts.length > 0 || noted.length > 0) await syncFolder(folder)
      for (const part of noted.splice(0)) await removeNote(part)
      for (const part of parts) {
        await removeRows(part)
        gone.push(part)
      }
    } finally {
      noted.push(...gone)
      needless.push(...parts.filter((part) => !gone.includes(part)))
    }
  }

  /** Closes the files of parts that grow no more; one that fails is tried again the next time. */
  async function closeEnded(): Promise<void> {
    await batchUnderWay
    for (let part = ended[0]; part; part = ended[0]) {
      await part.close()
      ended.shift()
      if (part.bytes > 0) closed.push(part)
      else needless.push(part)
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
          await piece.mark()
          await piece.close()
        }
      } catch (error) {
        // The part itself comes again.
        for (const piece of pieces) await piece.abandon()
        needless.push(...pieces)
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
      // Those that the one before has noted.
      if (noted.length > 0) await removeNeedless()
    },
  }
}

async function* blocksOf({ rowsPath, columns, blocks }: JournalPart): AsyncGenerator<NamedRows> {
  const content = await readFile(rowsPath)
  let from = 0
  for (const { bytes, rows } of blocks) {
    yield { bytes: content.subarray(from, from + bytes), rows, columns }
    from += bytes
  }
}

/** Numbers of the parts of which a folder has files; none of a folder that is not there. */
async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return names.map(numberOfPart).filter((each) => each !== undefined)
}
