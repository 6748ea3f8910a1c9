import { copyFile, open, readFile, rename, rm, truncate, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { allOver } from '../../all-over.ts'
import { syncFolder } from '../../durable-folders.ts'
import { codeOf } from '../../error-code.ts'
import type { NamedRows } from '../committer.ts'

/** Rows on disk that wait for their table. */
export interface JournalPart {
  /** File of the rows alone, in RowBinary, as the engine reads them. */
  rowsPath: string
  /** Names of the columns, in the order of the rows' values. */
  columns: readonly string[]
  /** Bytes of each block, in order. */
  blocks: readonly number[]
  bytes: number
}

/** A part that still grows. */
export interface OpenPart extends JournalPart {
  /**
   * Resolves when the blocks, of the part's columns, are on disk; all of them are in the part, or none.
   * @throws what the file system says; a file that failed once is not trusted again, so the part takes nothing more.
   */
  append(blocks: readonly NamedRows[]): Promise<void>
  /** Cuts off what was not appended whole, and lets go of the files. */
  close(): Promise<void>
  /** Lets go of the files and removes them, as far as that can be done. */
  discard(): Promise<void>
}

/** Bytes of a block and its checksum, as two unsigned numbers, little-endian. */
const recordBytes = 8

const rowsName = (number: number) => `${number}.rows`
const recordsName = (number: number) => `${number}.blocks`

/** Number of the part whose rows are in the file `name`; undefined for any other file. */
export function numberOfPart(name: string): number | undefined {
  const match = /^([0-9]{1,15})\.rows$/.exec(name)
  return match ? Number(match[1]) : undefined
}

/** The highest number among the files of parts, also of parts that lost one of their two files; 0 when there are none. */
export function highestNumber(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => numberOfPart(name.replace(/\.blocks$/, '.rows')) ?? 0))
}

/**
 * Creates part `number`, on disk when it resolves: a file of rows, and beside it a file with a line of column names and a record for each block,
 * by which a block that a crash cut short is told from a whole one.
 */
export async function createPart(folder: string, number: number, columns: readonly string[]): Promise<OpenPart> {
  const rowsPath = join(folder, rowsName(number))
  const [rows, records] = await openFiles(rowsPath, join(folder, recordsName(number)), columns)
  const blocks: number[] = []
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
      // A write that is still under way would follow the cut that is made where the other one failed.
      await allOver([
        writeAll(
          rows,
          added.map((block) => block.bytes),
        ),
        writeAll(records, [recordsOf(added)]),
      ])
      await allOver([rows.datasync(), records.datasync()])
      for (const block of added) {
        blocks.push(block.bytes.byteLength)
        bytes += block.bytes.byteLength
      }
    },
    async close() {
      if (!isCut) await rows.truncate(bytes)
      // Not again after one of the two could be closed and the other could not.
      isCut = true
      await Promise.all([rows.close(), records.close()])
    },
    async discard() {
      await Promise.allSettled([rows.close(), records.close()])
      await removePart({ rowsPath, columns, blocks, bytes }).catch(() => undefined)
    },
  }
}

/** Opens both files of a part, and brings their names to disk with the line of columns; or leaves neither open. */
async function openFiles(rowsPath: string, recordsPath: string, columns: readonly string[]): Promise<[FileHandle, FileHandle]> {
  const opened: FileHandle[] = []
  try {
    const rows = await open(rowsPath, 'wx', 0o600)
    opened.push(rows)
    const records = await open(recordsPath, 'wx', 0o600)
    opened.push(records)
    await writeAll(records, [Buffer.from(`${columns.join(' ')}\n`)])
    await syncFolder(dirname(rowsPath))
    return [rows, records]
  } catch (error) {
    await Promise.allSettled(opened.map((file) => file.close()))
    throw error
  }
}

/** Removes the files of a part; the rows first, since records alone are nothing. */
export async function removePart(part: JournalPart): Promise<void> {
  await rm(part.rowsPath, { force: true })
  await removeRecords(part)
}

/** Moves the files of a part to another folder and returns where its rows are now. A crash in between leaves the part as it was. */
export async function movePart(part: JournalPart, folder: string): Promise<string> {
  const path = join(folder, basename(part.rowsPath))
  await copyFile(recordsPath(part), join(folder, basename(recordsPath(part))))
  await rename(part.rowsPath, path)
  // While a power cut may undo the move, the records belong to the rows.
  await syncFolder(folder).then(
    () => removeRecords(part),
    () => undefined,
  )
  return path
}

/** Of a part whose rows are gone, so it does not matter when they stay. */
async function removeRecords(part: JournalPart): Promise<void> {
  await rm(recordsPath(part), { force: true }).catch(() => undefined)
}

function recordsPath(part: JournalPart): string {
  return part.rowsPath.replace(/\.rows$/, '.blocks')
}

/** The whole blocks of a part that an earlier process left; what a crash cut short, and was never acknowledged, is cut off. */
export async function recoverPart(folder: string, number: number): Promise<JournalPart> {
  const rowsPath = join(folder, rowsName(number))
  const rows = await readFile(rowsPath)
  const records = await readIfThere(join(folder, recordsName(number)))
  const lineEnd = records.indexOf(10)
  const columns = lineEnd < 0 ? [] : records.toString('utf8', 0, lineEnd).split(' ')
  const blocks: number[] = []
  let bytes = 0
  for (let at = lineEnd + 1; lineEnd >= 0 && at + recordBytes <= records.length; at += recordBytes) {
    const size = records.readUInt32LE(at)
    const block = rows.subarray(bytes, bytes + size)
    if (block.length !== size || crc32(block) !== records.readUInt32LE(at + 4)) break
    blocks.push(size)
    bytes += size
  }
  if (bytes < rows.length) await truncate(rowsPath, bytes)
  return { rowsPath, columns, blocks, bytes }
}

/** Nothing where there is no file. One that cannot be read is not taken for that: its blocks were acknowledged. */
function readIfThere(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return Buffer.alloc(0)
  })
}

function recordsOf(blocks: readonly NamedRows[]): Buffer {
  const records = Buffer.allocUnsafe(blocks.length * recordBytes)
  for (const [index, block] of blocks.entries()) {
    records.writeUInt32LE(block.bytes.byteLength, index * recordBytes)
    records.writeUInt32LE(crc32(block.bytes), index * recordBytes + 4)
  }
  return records
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
