import { crc32 } from 'node:zlib'
import { newerData } from '../../newer-data.ts'
import { readFirstFormat } from './read-first-format.ts'
import { endsUnwritten, nothingMissing, type PartReading, sumBytes, contiguousEnd, type WholeBlock } from './part-reading.ts'
import { type BlockEntry, decodeEntry, headerLine, journalFormat, parseHeaderLine, entryBytes } from './block-index.ts'

/** The files of a part; undefined if missing. */
export interface PartFiles {
  rows: Buffer | undefined
  blockIndex: Buffer | undefined
}

/**
 * Reads the files of a part that an earlier process left. `known`: column lists to recover a damaged header.
 * @throws StoreError when a newer version wrote them
 */
export function readPart({ rows, blockIndex }: PartFiles, known: readonly (readonly string[])[] = []): PartReading {
  if (blockIndex === undefined) return readWithoutIndex(rows ?? noBytes)
  const header = findHeader(blockIndex, known)
  if (header !== undefined) return readWithIndex(rows ?? noBytes, blockIndex, header)
  return readFirstFormat(rows ?? noBytes, blockIndex, known) ?? readWithoutHeader(rows ?? noBytes, blockIndex)
}

interface Header {
  line: Buffer
  columns: readonly string[]
  isDamaged: boolean
}

const noBytes = Buffer.alloc(0)

/** The header as it was written; undefined when the index has another format, or no column list matches its checksums. */
function findHeader(blockIndex: Buffer, known: readonly (readonly string[])[]): Header | undefined {
  const end = blockIndex.indexOf(10)
  const named = end < 0 ? undefined : parseHeaderLine(blockIndex.toString('utf8', 0, end))
  const lists = named ? [named.columns, ...known] : known
  for (const columns of lists) {
    const line = headerLine(columns)
    const isThere = blockIndex.subarray(0, line.length).equals(line)
    if (slotsOf(blockIndex, line).some((slot) => slot.isIntact)) return { line, columns, isDamaged: !isThere }
  }
  if (named && named.format > journalFormat) throw newerData(`journal format ${named.format}`)
  return named?.format === journalFormat ? { line: headerLine(named.columns), columns: named.columns, isDamaged: false } : undefined
}

type Slot = BlockEntry & { isIntact: boolean }

function slotsOf(blockIndex: Buffer, header: Buffer): Slot[] {
  const slots: Slot[] = []
  for (let at = header.length; at + entryBytes <= blockIndex.length; at += entryBytes)
    slots.push(decodeEntry(blockIndex.subarray(at, at + entryBytes), header))
  return slots
}

function readWithIndex(rows: Buffer, blockIndex: Buffer, header: Header): PartReading {
  const slots = slotsOf(blockIndex, header.line)
  const intact = slots.filter((slot) => slot.isIntact)
  const blocks = wholeBlocks(rows, slots)
  // A batch is written only after everything before it is on disk.
  const synced = Math.max(0, ...intact.map(({ batchStart }) => batchStart))
  const { columns } = header
  const missingBytes = synced - sumBytes(blocks.filter(({ offset }) => offset < synced))
  const lastIntact = slots.findLastIndex((slot) => slot.isIntact)
  if (missingBytes > 0 || header.isDamaged || slots.slice(0, lastIntact).some((slot) => !slot.isIntact)) {
    const lost = intact.filter(({ bytes, offset }) => bytes > 0 && offset < synced && !blocks.some((block) => block.offset === offset))
    const isAllNamed = sumBytes(lost) === missingBytes
    return {
      columns,
      blocks,
      state: 'damaged',
      missing: {
        bytes: missingBytes,
        blocks: isAllNamed ? lost.length : undefined,
        rows: isAllNamed ? lost.reduce((sum, each) => sum + each.rows, 0) : undefined,
      },
      reason: damageOf({ rows, missingBytes, header }),
    }
  }
  return { columns, blocks, ...readTail(rows, { blocks, intact }) }
}

function damageOf({ rows, missingBytes, header }: { rows: Buffer; missingBytes: number; header: Header }): string {
  if (rows.length === 0) return 'the file of rows is missing or empty'
  if (missingBytes > 0) return 'checksum mismatch in blocks of rows or their index entries'
  return header.isDamaged ? 'the header with the columns is damaged' : 'checksum mismatch in a block index entry'
}

/**
 * Classifies what follows the contiguous blocks. An unfinished write leaves index entries with incomplete rows, or zeros;
 * anything else may have been acknowledged.
 */
function readTail(
  rows: Buffer,
  { blocks, intact }: { blocks: readonly WholeBlock[]; intact: readonly BlockEntry[] },
): Pick<PartReading, 'state' | 'missing' | 'reason'> {
  const end = contiguousEnd(blocks)
  const described = Math.max(0, ...intact.map(({ offset, bytes }) => offset + bytes))
  const isBroken = blocks.some(({ offset }) => offset > end)
  const isUnnamed = rows.subarray(Math.max(end, described)).some((byte) => byte !== 0)
  // A killed process leaves fewer bytes than the index describes.
  const isComplete = described > end && rows.length >= described && !endsUnwritten(rows, end)
  if (!isBroken && !isUnnamed && !isComplete) return { state: 'whole', missing: nothingMissing, reason: '' }
  const missing = { bytes: Math.max(described, rows.length) - sumBytes(blocks), blocks: undefined, rows: undefined }
  return { state: 'doubtful', missing, reason: 'the last rows have no index entries, or their checksums do not match' }
}

/** Blocks whose checksums match, in order. An entry with a wrong checksum may still locate one. */
function wholeBlocks(rows: Buffer, slots: readonly Slot[]): WholeBlock[] {
  const named = slots.filter(({ bytes, offset, checksum }) => {
    return bytes > 0 && offset + bytes <= rows.length && crc32(rows.subarray(offset, offset + bytes)) === checksum
  })
  const ordered = named.toSorted((a, b) => a.offset - b.offset || Number(b.isIntact) - Number(a.isIntact))
  const blocks: WholeBlock[] = []
  let end = 0
  for (const { offset, bytes, rows: count, isIntact } of ordered) {
    if (offset < end) continue
    blocks.push({ offset, bytes, rows: isIntact ? count : 0 })
    end = offset + bytes
  }
  return blocks
}

/** Rows are written only after both files are durable, so a missing index was lost. */
function readWithoutIndex(rows: Buffer): PartReading {
  if (rows.length === 0) return nothing
  return { ...unknownRows(rows), state: 'damaged', reason: 'the block index is missing' }
}

/** The start of a header, followed by zeros after a power cut. */
const unfinishedLine = /^[\x20-\x7e]*\0*$/

/** An unfinished first write may leave rows without a header. */
function readWithoutHeader(rows: Buffer, blockIndex: Buffer): PartReading {
  const isUnwritten = unfinishedLine.test(blockIndex.toString('latin1'))
  if (rows.length === 0 || (isUnwritten && rows.every((byte) => byte === 0))) return nothing
  if (isUnwritten) return { ...unknownRows(rows), state: 'doubtful', reason: 'the block index is empty' }
  return { ...unknownRows(rows), state: 'damaged', reason: 'the header with the columns is unreadable' }
}

const nothing: PartReading = { columns: [], blocks: [], state: 'whole', missing: nothingMissing, reason: '' }

function unknownRows(rows: Buffer): Pick<PartReading, 'columns' | 'blocks' | 'missing'> {
  return { columns: [], blocks: [], missing: { bytes: rows.length, blocks: undefined, rows: undefined } }
}
