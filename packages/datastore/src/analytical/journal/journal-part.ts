import { copyFile, open, readFile, rename, rm, truncate, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { settleAll } from '../../settle-all.ts'
import { syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import type { NamedRows } from '../rows/named-rows.ts'
import { encodeMark, encodeEntry, headerLine, type JournalBlock } from './block-index.ts'
import type { PartFiles } from './read-part.ts'

/** Rows on disk that are not in their table yet. */
export interface JournalPart {
  /** File with only the rows, in RowBinary, as the engine reads them. */
  rowsPath: string
  /** Column names, in the order of the values in a row. */
  columns: readonly string[]
  /** Contiguous, in file order. */
  blocks: readonly JournalBlock[]
  bytes: number
}

/** A part that is open for appending. */
export interface OpenPart extends JournalPart {
  /**
   * Resolves once the blocks, which have the part's columns, are on disk. Atomic.
   * @throws errors of the file system; the part cannot be appended to afterwards, since a file that failed once is not trusted
   */
  append(blocks: readonly NamedRows[]): Promise<void>
  /**
   * Marks everything appended as durable: a mismatch found later is damage, not an unfinished write. The next append implies this,
   * so it is only needed before a pause.
   * @throws as `append` does
   */
  mark(): Promise<void>
  /** Truncates an incomplete append, and closes the files. */
  close(): Promise<void>
  /** Closes the files and ignores errors. */
  abandon(): Promise<void>
}

/** Called with the seconds after each sync of a part to disk. */
export type OnSync = (seconds: number) => void

const rowsName = (number: number) => `${number}.rows`
const indexName = (number: number) => `${number}.blocks`
/** The block index of a part whose rows are in their table. */
const writtenName = (number: number) => `${number}.written`

/** Number of the part that the file belongs to; undefined for any other file. */
export function numberOfPart(name: string): number | undefined {
  const match = /^([0-9]{1,15})\.(rows|blocks|written|json)$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** Whether part `number` is marked as written to its table. */
export function isWritten(names: readonly string[], number: number): boolean {
  return names.includes(writtenName(number))
}

/** Whether the file of rows of part `number` is among the names. */
export function hasRows(names: readonly string[], number: number): boolean {
  return names.includes(rowsName(number))
}

/** A part with unknown contents. */
export function emptyPart(folder: string, number: number): JournalPart {
  return { rowsPath: join(folder, rowsName(number)), columns: [], blocks: [], bytes: 0 }
}

/**
 * Creates part `number`, durable once it resolves: a file of rows, and a block index with a header of column names and an entry for each block,
 * which distinguishes intact blocks from those cut short by a crash and from damaged ones.
 */
export async function createPart(folder: string, number: number, columns: readonly string[], onSync?: OnSync): Promise<OpenPart> {
  const rowsPath = join(folder, rowsName(number))
  const header = headerLine(columns)
  const [rows, blockIndex] = await openFiles(rowsPath, join(folder, indexName(number)), header)
  const blocks: JournalBlock[] = []
  let bytes = 0
  let isTruncated = false

  return {
    rowsPath,
    columns,
    blocks,
    get bytes() {
      return bytes
    },
    async append(added) {
      // Index first: if the process is killed in between, there are no rows without an entry.
      await writeAll(blockIndex, [entriesOf(added, bytes, header)])
      await writeAll(
        rows,
        added.map((block) => block.bytes),
      )
      const startedMs = performance.now()
      await settleAll([rows.datasync(), blockIndex.datasync()])
      onSync?.((performance.now() - startedMs) / 1_000)
      for (const block of added) {
        blocks.push({ bytes: block.bytes.byteLength, rows: block.rows })
        bytes += block.bytes.byteLength
      }
    },
    mark: () => writeAll(blockIndex, [encodeMark(bytes, header)]),
    async close() {
      if (!isTruncated) await rows.truncate(bytes)
      // Not repeated when only one of the files could be closed.
      isTruncated = true
      await Promise.all([rows.close(), blockIndex.close()])
    },
    async abandon() {
      await Promise.allSettled([rows.close(), blockIndex.close()])
    },
  }
}

/** Opens both files of a part and syncs their folder. On failure both are closed. */
async function openFiles(rowsPath: string, indexPath: string, header: Buffer): Promise<[FileHandle, FileHandle]> {
  const opened: FileHandle[] = []
  try {
    const rows = await open(rowsPath, 'wx', 0o600)
    opened.push(rows)
    const blockIndex = await open(indexPath, 'wx', 0o600)
    opened.push(blockIndex)
    await writeAll(blockIndex, [header])
    await syncFolder(dirname(rowsPath))
    return [rows, blockIndex]
  } catch (error) {
    await Promise.allSettled(opened.map((file) => file.close()))
    throw error
  }
}

/** Marks a part as written to its table, so that its files may be deleted. Durable once the folder is synced. Idempotent. */
export async function markWritten(part: JournalPart): Promise<void> {
  await unlessMissing(rename(indexPath(part), writtenPath(part)))
}

/** Removes the rows of a part that is marked as written. */
export async function removeRows(part: JournalPart): Promise<void> {
  await rm(part.rowsPath, { force: true })
}

/** Deletes the mark of a written part. Only after the deletion of its rows is durable, or they would be written again. */
export async function removeMark(part: JournalPart): Promise<void> {
  await rm(writtenPath(part), { force: true })
}

/** Moves the files of a part to another folder and returns the new path of its rows. A crash in between leaves the part as it was. */
export async function movePart(part: JournalPart, folder: string): Promise<string> {
  const moved = join(folder, basename(part.rowsPath))
  const blockIndex = indexPath(part)
  const movedIndex = join(folder, basename(blockIndex))
  await rm(movedIndex, { force: true })
  await unlessMissing(copyFile(blockIndex, movedIndex))
  await unlessMissing(rename(part.rowsPath, moved))
  // While a power cut may undo the move, the index must remain with the rows.
  await syncFolder(folder).then(
    () => rename(blockIndex, movedIndex).catch(() => undefined),
    () => undefined,
  )
  return moved
}

function indexPath(part: JournalPart): string {
  return part.rowsPath.replace(/\.rows$/, '.blocks')
}

function writtenPath(part: JournalPart): string {
  return part.rowsPath.replace(/\.rows$/, '.written')
}

/** Reads both files of a part; undefined if missing. */
export async function readFiles({ rowsPath, ...part }: JournalPart): Promise<PartFiles> {
  const [rows, blockIndex] = await Promise.all([
    unlessMissing(readFile(rowsPath)),
    unlessMissing(readFile(indexPath({ rowsPath, ...part }))),
  ])
  return { rows, blockIndex }
}

/** Truncates a file of rows. */
export async function cutRows({ rowsPath }: JournalPart, bytes: number): Promise<void> {
  await truncate(rowsPath, bytes)
}

/** Undefined when the file does not exist. Other errors are thrown: the file may hold acknowledged blocks. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}

/** Index entries for the blocks of one write that starts at `batchStart`. */
function entriesOf(blocks: readonly NamedRows[], batchStart: number, header: Buffer): Buffer {
  let offset = batchStart
  const blockIndex: Buffer[] = []
  for (const { bytes, rows } of blocks) {
    blockIndex.push(encodeEntry({ offset, batchStart, bytes: bytes.byteLength, rows, checksum: crc32(bytes) }, header))
    offset += bytes.byteLength
  }
  return Buffer.concat(blockIndex)
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
