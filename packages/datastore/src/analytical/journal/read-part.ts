import { crc32 } from 'node:zlib'
import { newerData } from '../../newer-data.ts'
import { readFirstFormat } from './read-first-format.ts'
import { endsUnwritten, nothingMissing, type PartReading, sumBytes, unbrokenEnd, type WholeBlock } from './part-reading.ts'
import { type BlockRecord, decodeRecord, headerLine, journalFormat, parseHeaderLine, recordBytes } from './part-records.ts'

/** The files of a part; undefined where one is not there. */
export interface PartFiles {
  rows: Buffer | undefined
  records: Buffer | undefined
}

/**
 * Reads the files of a part that an earlier process left. `known` are lists of columns that its header may have held, for one that is damaged.
 * @throws StoreError when a newer version wrote them.
 */
export function readPart({ rows, records }: PartFiles, known: readonly (readonly string[])[] = []): PartReading {
  if (records === undefined) return readWithoutRecords(rows ?? noBytes)
  const header = findHeader(records, known)
  if (header !== undefined) return readRecords(rows ?? noBytes, records, header)
  return readFirstFormat(rows ?? noBytes, records, known) ?? readWithoutHeader(rows ?? noBytes, records)
}

interface Header {
  line: Buffer
  columns: readonly string[]
  isDamaged: boolean
}

const noBytes = Buffer.alloc(0)

/** The header as it was written; undefined when the records are of another format, or nothing fits them. */
function findHeader(records: Buffer, known: readonly (readonly string[])[]): Header | undefined {
  const end = records.indexOf(10)
  const named = end < 0 ? undefined : parseHeaderLine(records.toString('utf8', 0, end))
  const lists = named ? [named.columns, ...known] : known
  for (const columns of lists) {
    const line = headerLine(columns)
    const isThere = records.subarray(0, line.length).equals(line)
    if (slotsOf(records, line).some((slot) => slot.isIntact)) return { line, columns, isDamaged: !isThere }
  }
  if (named && named.format > journalFormat) throw newerData(`journal format ${named.format}`)
  return named?.format === journalFormat ? { line: headerLine(named.columns), columns: named.columns, isDamaged: false } : undefined
}

type Slot = BlockRecord & { isIntact: boolean }

function slotsOf(records: Buffer, header: Buffer): Slot[] {
  const slots: Slot[] = []
  for (let at = header.length; at + recordBytes <= records.length; at += recordBytes)
    slots.push(decodeRecord(records.subarray(at, at + recordBytes), header))
  return slots
}

function readRecords(rows: Buffer, records: Buffer, header: Header): PartReading {
  const slots = slotsOf(records, header.line)
  const intact = slots.filter((slot) => slot.isIntact)
  const blocks = wholeBlocks(rows, slots)
  // A batch is written when all before it is on disk.
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
  if (missingBytes > 0) return 'blocks of rows, or the records that say where they lie, do not have their checksums'
  return header.isDamaged ? 'the line of columns is damaged' : 'a record does not have its checksum'
}

/**
 * What lies behind the last block of an unbroken sequence. A write that never finished leaves its records and less than their rows, or zeros;
 * anything else may have been acknowledged.
 */
function readTail(
  rows: Buffer,
  { blocks, intact }: { blocks: readonly WholeBlock[]; intact: readonly BlockRecord[] },
): Pick<PartReading, 'state' | 'missing' | 'reason'> {
  const end = unbrokenEnd(blocks)
  const described = Math.max(0, ...intact.map(({ offset, bytes }) => offset + bytes))
  const isBroken = blocks.some(({ offset }) => offset > end)
  const isUnnamed = rows.subarray(Math.max(end, described)).some((byte) => byte !== 0)
  // A process that is killed leaves less than the records describe.
  const isComplete = described > end && rows.length >= described && !endsUnwritten(rows, end)
  if (!isBroken && !isUnnamed && !isComplete) return { state: 'whole', missing: nothingMissing, reason: '' }
  const missing = { bytes: Math.max(described, rows.length) - sumBytes(blocks), blocks: undefined, rows: undefined }
  return { state: 'doubtful', missing, reason: 'the last rows have no records, or do not have their checksums' }
}

/** Blocks that have their checksums, in order. A record that has not its own may still name one. */
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

/** Rows are written when both files are there for sure, so records that are gone were lost. */
function readWithoutRecords(rows: Buffer): PartReading {
  if (rows.length === 0) return nothing
  return { ...unknownRows(rows), state: 'damaged', reason: 'the file of records is missing' }
}

/** The begin of a header, and zeros where a power cut left them. */
const unfinishedLine = /^[\x20-\x7e]*\0*$/

/** The first write of a part may leave rows, and not yet the header. */
function readWithoutHeader(rows: Buffer, records: Buffer): PartReading {
  const isUnwritten = unfinishedLine.test(records.toString('latin1'))
  if (rows.length === 0 || (isUnwritten && rows.every((byte) => byte === 0))) return nothing
  if (isUnwritten) return { ...unknownRows(rows), state: 'doubtful', reason: 'the records are not there' }
  return { ...unknownRows(rows), state: 'damaged', reason: 'the line of columns cannot be read' }
}

const nothing: PartReading = { columns: [], blocks: [], state: 'whole', missing: nothingMissing, reason: '' }

function unknownRows(rows: Buffer): Pick<PartReading, 'columns' | 'blocks' | 'missing'> {
  return { columns: [], blocks: [], missing: { bytes: rows.length, blocks: undefined, rows: undefined } }
}
