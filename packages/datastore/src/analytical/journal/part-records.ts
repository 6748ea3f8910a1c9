import { crc32 } from 'node:zlib'

/** A block of rows in a part's file of rows. */
export interface JournalBlock {
  bytes: number
  /** 0 where an earlier format did not say. */
  rows: number
}

/** Where a block lies, as its record says. */
export interface BlockRecord extends JournalBlock {
  /** Where the block begins in the file of rows. */
  offset: number
  /** CRC-32 of the block. */
  checksum: number
  /** Where the write that brought the block began: all before it was on disk by then. */
  batchStart: number
}

/** The format of the files of a part. Format 1 had a line of columns alone, and records of a size and a checksum. */
export const journalFormat = 2

/** Bytes of a record: offset, start of the batch, bytes, rows, checksum of the block, checksum of the record. */
export const recordBytes = 32

/** The first line of a part's records: the format and the names of the columns. Each record's checksum covers it. */
export function headerLine(columns: readonly string[]): Buffer {
  return Buffer.from(`HEDDLE-JOURNAL ${journalFormat} ${columns.join(' ')}\n`)
}

/** The format and columns that a first line names; undefined for a line of another kind, as format 1 has. */
export function parseHeaderLine(line: string): { format: number; columns: string[] } | undefined {
  const [, format, columns = ''] = /^HEDDLE-JOURNAL ([0-9]{1,6}) (.+)$/.exec(line) ?? []
  return format === undefined ? undefined : { format: Number(format), columns: columns.split(' ') }
}

/** A record; `header` is the first line of its file. */
export function encodeRecord({ offset, batchStart, bytes, rows, checksum }: BlockRecord, header: Buffer): Buffer {
  const record = Buffer.allocUnsafe(recordBytes)
  record.writeBigUInt64LE(BigInt(offset), 0)
  record.writeBigUInt64LE(BigInt(batchStart), 8)
  record.writeUInt32LE(bytes, 16)
  record.writeUInt32LE(rows, 20)
  record.writeUInt32LE(checksum, 24)
  record.writeUInt32LE(crc32(record.subarray(0, 28), crc32(header)), 28)
  return record
}

/** Says that everything before `offset` is on disk: a block of no bytes, in a batch of its own. */
export function encodeMark(offset: number, header: Buffer): Buffer {
  return encodeRecord({ offset, batchStart: offset, bytes: 0, rows: 0, checksum: 0 }, header)
}

/** What a record says, and whether its own checksum agrees. `bytes` holds one record. */
export function decodeRecord(bytes: Buffer, header: Buffer): BlockRecord & { isIntact: boolean } {
  return {
    offset: Number(bytes.readBigUInt64LE(0)),
    batchStart: Number(bytes.readBigUInt64LE(8)),
    bytes: bytes.readUInt32LE(16),
    rows: bytes.readUInt32LE(20),
    checksum: bytes.readUInt32LE(24),
    isIntact: crc32(bytes.subarray(0, 28), crc32(header)) === bytes.readUInt32LE(28),
  }
}
