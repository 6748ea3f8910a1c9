import { copyFile, open, readFile, rename, rm, truncate, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { settleAll } from '../../settle-all.ts'
import { syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import type { NamedRows } from '../insert-batcher.ts'
import { encodeMark, encodeRecord, headerLine, type JournalBlock } from './part-records.ts'
import type { PartFiles } from './read-part.ts'

/** Rows on disk that wait for their table. */
export interface JournalPart {
  /** File of the rows alone, in RowBinary, as the engine reads them. */
  rowsPath: string
  /** Names of the columns, in the order of the rows' values. */
  columns: readonly string[]
  /** In the order of the file, one right after the other. */
  blocks: readonly JournalBlock[]
  bytes: number
}

/** A part that still grows. */
export interface OpenPart extends JournalPart {
  /**
   * Resolves when the blocks, of the part's columns, are on disk; all of them are in the part, or none.
   * @throws what the file system says; a file that failed once is not trusted again, so the part takes nothing more.
   */
  append(blocks: readonly NamedRows[]): Promise<void>
  /**
   * Notes that what was appended is on disk: what is wrong with it later is damage, and no write that never finished. The next append says so
   * too, so this is for a pause between them.
   * @throws as `append` does
   */
  mark(): Promise<void>
  /** Cuts off what was not appended whole, and lets go of the files. */
  close(): Promise<void>
  /** Lets go of the files, as far as that can be done. */
  abandon(): Promise<void>
}

const rowsName = (number: number) => `${number}.rows`
const recordsName = (number: number) => `${number}.blocks`
/** The records of a part whose rows are in their table. */
const writtenName = (number: number) => `${number}.written`

/** Number of the part to which the file `name` belongs; undefined for any other file. */
export function numberOfPart(name: string): number | undefined {
  const match = /^([0-9]{1,15})\.(rows|blocks|written|json)$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** Whether the file is the one that says that part `number` is in its table. */
export function isWritten(names: readonly string[], number: number): boolean {
  return names.includes(writtenName(number))
}

/** Whether the file of rows of part `number` is among the names. */
export function hasRows(names: readonly string[], number: number): boolean {
  return names.includes(rowsName(number))
}

/** The part of this number before anything is known of it. */
export function emptyPart(folder: string, number: number): JournalPart {
  return { rowsPath: join(folder, rowsName(number)), columns: [], blocks: [], bytes: 0 }
}

/**
 * Creates part `number`, on disk when it resolves: a file of rows, and beside it a file with a line of column names and a record for each block,
 * by which a block that a crash cut short is told from a whole one, and both from one that was damaged.
 */
export async function createPart(folder: string, number: number, columns: readonly string[]): Promise<OpenPart> {
  const rowsPath = join(folder, rowsName(number))
  const header = headerLine(columns)
  const [rows, records] = await openFiles(rowsPath, join(folder, recordsName(number)), header)
  const blocks: JournalBlock[] = []
  let bytes = 0
  let isCut = false

  return {
    rowsPath,
    columns,
    blocks,
    get bytes() {
      return bytes
    },
    async append(added) {
      // Records first: of a process that is killed in between, no rows are left that nothing describes.
      await writeAll(records, [recordsOf(added, bytes, header)])
      await writeAll(
        rows,
        added.map((block) => block.bytes),
      )
      await settleAll([rows.datasync(), records.datasync()])
      for (const block of added) {
        blocks.push({ bytes: block.bytes.byteLength, rows: block.rows })
        bytes += block.bytes.byteLength
      }
    },
    mark: () => writeAll(records, [encodeMark(bytes, header)]),
    async close() {
      if (!isCut) await rows.truncate(bytes)
      // Not again after one of the two could be closed and the other could not.
      isCut = true
      await Promise.all([rows.close(), records.close()])
    },
    async abandon() {
      await Promise.allSettled([rows.close(), records.close()])
    },
  }
}

/** Opens both files of a part, and brings their names to disk; or leaves neither open. */
async function openFiles(rowsPath: string, recordsPath: string, header: Buffer): Promise<[FileHandle, FileHandle]> {
  const opened: FileHandle[] = []
  try {
    const rows = await open(rowsPath, 'wx', 0o600)
    opened.push(rows)
    const records = await open(recordsPath, 'wx', 0o600)
    opened.push(records)
    await writeAll(records, [header])
    await syncFolder(dirname(rowsPath))
    return [rows, records]
  } catch (error) {
    await Promise.allSettled(opened.map((file) => file.close()))
    throw error
  }
}

/** Says that the rows of a part are in their table, so that its files may go; for sure once the folder is synced. Doing it again is harmless. */
export async function noteWritten(part: JournalPart): Promise<void> {
  await unlessMissing(rename(recordsPath(part), writtenPath(part)))
}

/** Removes the rows of a part that was noted as written. */
export async function removeRows(part: JournalPart): Promise<void> {
  await rm(part.rowsPath, { force: true })
}

/** Removes the note that a part was written, once its rows are gone for sure: without it, they would come again. */
export async function removeNote(part: JournalPart): Promise<void> {
  await rm(writtenPath(part), { force: true })
}

/** Moves the files of a part to another folder and returns where its rows are now. A crash in between leaves the part as it was. */
export async function movePart(part: JournalPart, folder: string): Promise<string> {
  const moved = join(folder, basename(part.rowsPath))
  const records = recordsPath(part)
  const movedRecords = join(folder, basename(records))
  await rm(movedRecords, { force: true })
  await unlessMissing(copyFile(records, movedRecords))
  await unlessMissing(rename(part.rowsPath, moved))
  // While a power cut may undo the move, the records belong to the rows.
  await syncFolder(folder).then(
    () => rename(records, movedRecords).catch(() => undefined),
    () => undefined,
  )
  return moved
}

function recordsPath(part: JournalPart): string {
  return part.rowsPath.replace(/\.rows$/, '.blocks')
}

function writtenPath(part: JournalPart): string {
  return part.rowsPath.replace(/\.rows$/, '.written')
}

/** Both files of a part, as far as they are there. */
export async function readFiles({ rowsPath, ...part }: JournalPart): Promise<PartFiles> {
  const [rows, records] = await Promise.all([
    unlessMissing(readFile(rowsPath)),
    unlessMissing(readFile(recordsPath({ rowsPath, ...part }))),
  ])
  return { rows, records }
}

/** Cuts a file of rows down to the blocks that begin it. */
export async function cutRows({ rowsPath }: JournalPart, bytes: number): Promise<void> {
  await truncate(rowsPath, bytes)
}

/** Undefined where there is no file. One that cannot be read is not taken for that: its blocks were acknowledged. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Records of blocks that one write brings, the first of which begins at `batchStart`. */
function recordsOf(blocks: readonly NamedRows[], batchStart: number, header: Buffer): Buffer {
  let offset = batchStart
  const records: Buffer[] = []
  for (const { bytes, rows } of blocks) {
    records.push(encodeRecord({ offset, batchStart, bytes: bytes.byteLength, rows, checksum: crc32(bytes) }, header))
    offset += bytes.byteLength
  }
  return Buffer.concat(records)
}

async function writeAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let left = [...chunks]
  while (left.length > 0) {
    let { bytesWritten } = await file.writev(left)
    const next: Uint8Array[] = []
    for (const chunk of left) {
      if (bytesWritten < chunk.byteLength) next.push(chunk.subarray(bytesWritten))
      bytesWritten = Math.max(0, bytesWritten - chunk.byteLength)
    }
    left = next
  }
}
