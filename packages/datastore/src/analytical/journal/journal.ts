import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { NamedRows } from '../rows/named-rows.ts'
import { makeFolder, syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import { toFileFailure } from '../../file-failure.ts'
import { invariant } from '../../invariant.ts'
import { damagedFolder, type JournalDamage } from './journal-damage.ts'
import {
  createPart,
  type JournalPart,
  movePart,
  markWritten,
  numberOfPart,
  type OnSync,
  type OpenPart,
  removeMark,
  removeRows,
} from './journal-part.ts'
import { ledgerTables, openLedger } from './journal-ledger.ts'
import { recoverParts } from './recover-parts.ts'
import { takeFairly, type WaitingBlock } from './take-fairly.ts'

/** Write-ahead journal of one table: acknowledged rows that are not in the table yet, on disk. */
export interface Journal {
  /**
   * Resolves once the block is on disk. Blocks that arrive during a write are written together, with one sync; one tenant with many blocks does not
   * delay the others (`take-fairly.ts`).
   * @throws StoreError `full` when the disk is full, `busy` when too many files are open, `failed` for any other error.
   */
  append(block: NamedRows): Promise<void>
  /** The oldest part, closed for appending; undefined when the journal is empty. Returned again until it is removed. */
  next(): Promise<JournalPart | undefined>
  /**
   * Removes a part whose rows are in the table; `next` does not return it again. Resolves once its rows are deleted from disk, or could not be
   * deleted yet. Never rejects.
   */
  remove(part: JournalPart): Promise<void>
  /** Replaces a part that the table rejects by one part per block. */
  split(part: JournalPart): Promise<void>
  /** Moves a part to the folder `refused`, for inspection. Returns the path of its rows. */
  quarantine(part: JournalPart): Promise<string>
  /** Number of blocks appended since the start, or found at the start. */
  readonly appended: number
  /** Bytes of rows in the journal. */
  readonly bytes: number
  /** Resolves once all appended blocks are on disk and the files are closed. */
  close(): Promise<void>
}

export interface JournalOptions {
  /** Column lists that rows of the table may have, to recover a damaged header. */
  columns?: readonly (readonly string[])[]
  /** Bytes of rows after which a part takes no more, so that no insert is much larger. Default 24 MiB. */
  partBytes?: number | undefined
  /** File of the ledger of parts. Absent: a part whose files are all missing goes unnoticed. */
  ledgerPath?: string
  /** Called for each damaged part, after its files were moved to the folder `damaged`, and for each part of the ledger without files. */
  onDamage?: (damage: JournalDamage) => void
  /** Called with the seconds after each sync of appended rows. */
  onSync?: OnSync | undefined
}

/**
 * Bytes per write to disk while blocks of several tenants wait. A smaller limit lets small writers finish sooner, but costs bulk writers more syncs
 * (`docs/speed/load.md`).
 */
const sharedWriteBytes = 2 << 20

interface Waiting extends WaitingBlock {
  block: NamedRows
  resolve(): void
  reject(error: unknown): void
}

/** Names of the tables that have a journal in `folder`, or had one by their ledger. @throws StoreError */
export async function journaledTables(folder: string): Promise<string[]> {
  try {
    await makeFolder(folder, dirname(folder))
    return [...new Set([...(await readdir(folder)), ...(await ledgerTables(folder))])]
  } catch (error) {
    throw toFileFailure(error, 'journal')
  }
}

/** Opens the journal of a table in `folder`, and recovers the parts of an earlier process. @throws StoreError, as `append` does */
export async function openJournal(folder: string, options: JournalOptions = {}): Promise<Journal> {
  try {
    return await open(folder, options)
  } catch (error) {
    throw toFileFailure(error, 'journal')
  }
}

async function open(folder: string, options: JournalOptions): Promise<Journal> {
  const { columns: known = [], partBytes = 24 << 20, onDamage = () => undefined } = options
  await makeFolder(folder, dirname(dirname(folder)))
  const refused = join(folder, 'refused')
  const kept = (await Promise.all([refused, join(folder, damagedFolder)].map(numbersIn))).flat()
  // The numbers of leftover and quarantined files are not reused.
  const ledger = options.ledgerPath === undefined ? undefined : await openLedger(options.ledgerPath)
  const noted = new Set(ledger?.parts)
  let number = 1 + Math.max(0, ...kept, ...noted, ...(await numbersIn(folder)))
  const { parts: closed, written: obsolete } = await recoverParts(folder, { kept, known, onDamage, noted, nextNumber: () => number++ })
  const left = [...closed, ...obsolete].map(numberOf)
  await ledger?.begin(left.filter((each) => !noted.has(each)))
  // The rest were set aside, or are reported as missing.
  await ledger?.end([...noted].filter((each) => !left.includes(each)))
  invariant(
    [...left, ...kept].every((each) => each < number),
    'journal.part-numbers-rise',
    () => `the next part is ${number}`,
  )
  let active: OpenPart | undefined
  const inactive: OpenPart[] = []
  /** Parts that are marked as written and whose rows are deleted. */
  const marked: JournalPart[] = []
  let bytes = closed.reduce((sum, part) => sum + part.bytes, 0)
  let appended = closed.reduce((sum, part) => sum + part.blocks.length, 0)
  let waiting: Waiting[] = []
  let isWriting = false
  let batchInFlight: Promise<void> | undefined
  let removing: Promise<void> = Promise.resolve()

  async function write(batch: readonly [Waiting, ...Waiting[]]): Promise<void> {
    try {
      const part = (active ??= await beginPart(batch[0].block.columns))
      await part.append(batch.map(({ block }) => block))
      for (const { block, resolve } of batch) {
        bytes += block.bytes.byteLength
        appended++
        resolve()
      }
      const isFull = part.bytes >= partBytes
      if (isFull || waiting.length === 0) await part.mark()
      if (isFull) stopAppending()
    } catch (error) {
      const failure = toFileFailure(error, 'journal')
      for (const { reject } of batch) reject(failure)
      stopAppending()
    }
  }

  async function beginPart(columns: readonly string[]): Promise<OpenPart> {
    const part = await createPart(folder, number++, columns, options.onSync)
    try {
      await ledger?.begin([numberOf(part)])
      return part
    } catch (error) {
      await part.abandon()
      obsolete.push(part)
      throw error
    }
  }

  function takeWaiting(): Waiting[] {
    const { taken, left } = takeFairly(waiting, sharedWriteBytes)
    waiting = left
    return taken
  }

  async function writeAll(): Promise<void> {
    for (let [first, ...others] = takeWaiting(); first; [first, ...others] = takeWaiting()) {
      batchInFlight = write([first, ...others])
      await batchInFlight
    }
    isWriting = false
  }

  function stopAppending(): void {
    if (active) inactive.push(active)
    active = undefined
  }

  /** Retries on the next call what could not be removed. If the process ends before, writing the rows again is harmless. */
  function removeObsolete(): Promise<void> {
    removing = removing.then(removeWritten).catch(() => undefined)
    return removing
  }

  async function removeWritten(): Promise<void> {
    const parts = obsolete.splice(0)
    const gone: JournalPart[] = []
    try {
      for (const part of parts) await markWritten(part)
      if (parts.length > 0 || marked.length > 0) await syncFolder(folder)
      await ledger?.end(marked.map(numberOf))
      for (const part of marked.splice(0)) await removeMark(part)
      for (const part of parts) {
        await removeRows(part)
        gone.push(part)
      }
    } finally {
      marked.push(...gone)
      obsolete.push(...parts.filter((part) => !gone.includes(part)))
    }
  }

  /** Closes the files of inactive parts. A failed close is retried on the next call. */
  async function closeInactive(): Promise<void> {
    await batchInFlight
    for (let part = inactive[0]; part; part = inactive[0]) {
      await part.close()
      inactive.shift()
      if (part.bytes > 0) closed.push(part)
      else obsolete.push(part)
    }
  }

  return {
    append(block) {
      const { tenant = '', bytes: added } = block
      const done = new Promise<void>((resolve, reject) => waiting.push({ tenant, bytes: added.byteLength, block, resolve, reject }))
      // Blocks appended in the same event-loop tick share a write.
      if (!isWriting) queueMicrotask(() => void writeAll())
      isWriting = true
      return done
    },
    async next() {
      if (closed.length > 0) return closed[0]
      await closeInactive()
      if (closed.length > 0) return closed[0]
      stopAppending()
      await closeInactive()
      return closed[0]
    },
    async remove(part) {
      const at = closed.indexOf(part)
      if (at < 0) return
      closed.splice(at, 1)
      bytes -= part.bytes
      obsolete.push(part)
      await removeObsolete()
    },
    async split(part) {
      const pieces: OpenPart[] = []
      try {
        for await (const block of blocksOf(part)) {
          const piece = await createPart(folder, number++, part.columns)
          pieces.push(piece)
          await piece.append([block])
          await piece.mark()
          await piece.close()
        }
        await ledger?.begin(pieces.map(numberOf))
      } catch (error) {
        // `next` returns the whole part again.
        for (const piece of pieces) await piece.abandon()
        obsolete.push(...pieces)
        throw error
      }
      closed.splice(closed.indexOf(part), 1, ...pieces)
      obsolete.push(part)
      await removeObsolete()
    },
    async quarantine(part) {
      await makeFolder(refused, folder)
      const path = await movePart(part, refused)
      closed.splice(closed.indexOf(part), 1)
      bytes -= part.bytes
      // Its files remain, so the next start writes the note if it could not be written now.
      await ledger?.end([numberOf(part)]).catch(() => undefined)
      return path
    },
    get bytes() {
      return bytes
    },
    get appended() {
      return appended
    },
    async close() {
      while (isWriting) await (batchInFlight ?? Promise.resolve())
      stopAppending()
      await closeInactive()
      await removeObsolete()
      // Removes the marks that the previous call has left.
      if (marked.length > 0) await removeObsolete()
      await ledger?.close()
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

function numberOf({ rowsPath }: JournalPart): number {
  return numberOfPart(basename(rowsPath)) ?? 0
}

/** The blocks of a part, all in memory. */
export async function readBlocks(part: JournalPart): Promise<NamedRows[]> {
  const blocks: NamedRows[] = []
  for await (const block of blocksOf(part)) blocks.push(block)
  return blocks
}

/** Numbers of the parts that have files in a folder; empty when the folder does not exist. */
async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return names.map(numberOfPart).filter((each) => each !== undefined)
}
