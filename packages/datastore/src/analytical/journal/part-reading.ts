import type { JournalBlock } from './block-index.ts'

/** A block whose checksum matches. */
export interface WholeBlock extends JournalBlock {
  /** Offset in the file of rows. */
  offset: number
}

/** Blocks and rows that a part has lost; undefined if their number is unknown. */
export interface MissingRows {
  bytes: number | undefined
  blocks: number | undefined
  rows: number | undefined
}

/** Contents and state of the files of a part. */
export interface PartReading {
  /** Empty when unknown; there are no blocks then. */
  columns: readonly string[]
  /** All intact blocks, in file order. */
  blocks: readonly WholeBlock[]
  /**
   * `whole`: all blocks are intact, apart from the tail of an unfinished write, which was not acknowledged.
   * `doubtful`: the missing tail may have been acknowledged. `damaged`: acknowledged rows, or the index entries that locate them, are missing.
   */
  state: 'whole' | 'doubtful' | 'damaged'
  missing: MissingRows
  /** Why the part is not whole; '' if it is. */
  reason: string
}

export const nothingMissing: MissingRows = { bytes: 0, blocks: 0, rows: 0 }

/** End of the contiguous blocks at the start of the file. */
export function contiguousEnd(blocks: readonly WholeBlock[]): number {
  let end = 0
  for (const { offset, bytes } of blocks) {
    if (offset !== end) break
    end += bytes
  }
  return end
}

/** Bytes that a disk writes atomically. */
const sectorBytes = 512

/** Whether the last sector of the file, from `from` on, is all zeros, as after a power cut. Rows may end in a few zeros themselves. */
export function endsUnwritten(rows: Buffer, from: number): boolean {
  const lastSector = Math.floor((rows.length - 1) / sectorBytes) * sectorBytes
  return rows.subarray(Math.max(from, lastSector)).every((byte) => byte === 0)
}

export function sumBytes(blocks: readonly { bytes: number }[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes, 0)
}
