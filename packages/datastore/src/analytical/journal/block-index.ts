import { crc32 } from 'node:zlib'

/** A block of rows in a part's file of rows. */
export interface JournalBlock {
  bytes: number
  /** 0 if unknown, as in an earlier format. */
  rows: number
}

/** An entry of the block index: where a block is. */
export interface BlockEntry extends JournalBlock {
  /** Offset of the block in the file of rows. */
  offset: number
  /** CRC-32 of the block. */
  checksum: number
  /** Offset at which the write of this block began: everything before it was already on disk. */
  batchStart: number
}

/** Format of the files of a part. Format 1 had a header with only the columns, and entries of size and checksum. */
export const journalFormat = 2

/** Bytes of an entry: offset, start of the batch, bytes, rows, checksum of the block, checksum of the entry. */
export const entryBytes = 32

/** The header of a block index: a line with the format and the column names. The checksum of each entry covers it. */
export function headerLine(columns: readonly string[]): Buffer {
  return Buffer.from(`HEDDLE-JOURNAL ${journalFormat} ${columns.join(' ')}\n`)
}

/** Parses a header line; undefined for any other line, as in format 1. */
export function parseHeaderLine(line: string): { format: number; columns: string[] } | undefined {
  const [, format, columns = ''] = /^HEDDLE-JOURNAL ([0-9]{1,6}) (.+)$/.exec(line) ?? []
  return format === undefined ? undefined : { format: Number(format), columns: columns.split(' ') }
}

/** Encodes an entry; `header` is the first line of its file. */
export function encodeEntry({ offset, batchStart, bytes, rows, checksum }: BlockEntry, header: Buffer): Buffer {
  const entry = Buffer.allocUnsafe(entryBytes)
  entry.writeBigUInt64LE(BigInt(offset), 0)
  entry.writeBigUInt64LE(BigInt(batchStart), 8)
  entry.writeUInt32LE(bytes, 16)
  entry.writeUInt32LE(rows, 20)
  entry.writeUInt32LE(checksum, 24)
  entry.writeUInt32LE(crc32(entry.subarray(0, 28), crc32(header)), 28)
  return entry
}

/** Encodes a mark that everything before `offset` is on disk: an empty block in a separate batch. */
export function encodeMark(offset: number, header: Buffer): Buffer {
  return encodeEntry({ offset, batchStart: offset, bytes: 0, rows: 0, checksum: 0 }, header)
}

/** Decodes one entry. `isIntact`: its checksum matches. */
export function decodeEntry(bytes: Buffer, header: Buffer): BlockEntry & { isIntact: boolean } {
  return {
    offset: Number(bytes.readBigUInt64LE(0)),
    batchStart: Number(bytes.readBigUInt64LE(8)),
    bytes: bytes.readUInt32LE(16),
    rows: bytes.readUInt32LE(20),
    checksum: bytes.readUInt32LE(24),
    isIntact: crc32(bytes.subarray(0, 28), crc32(header)) === bytes.readUInt32LE(28),
  }
}
