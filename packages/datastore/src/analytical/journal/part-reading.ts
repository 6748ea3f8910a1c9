import type { JournalBlock } from './part-records.ts'

/** A block whose bytes have its checksum. */
export interface WholeBlock extends JournalBlock {
  /** Where it begins in the file of rows. */
  offset: number
}

/** Bytes, blocks and rows that a part has lost. Blocks and rows are undefined where nothing says how many they were. */
export interface MissingRows {
  bytes: number
  blocks: number | undefined
  rows: number | undefined
}

/** What the files of a part hold. */
export interface PartReading {
  /** Empty when they are not known, and then there are no blocks. */
  columns: readonly string[]
  /** All whole blocks, in the order of the file. */
  blocks: readonly WholeBlock[]
  /**
   * `whole`: every block, and perhaps a tail that a write never finished, which was not acknowledged.
   * `doubtful`: the tail may have been acknowledged. `damaged`: rows that were acknowledged are missing, or what says where they lie is.
   */
  state: 'whole' | 'doubtful' | 'damaged'
  missing: MissingRows
  /** What is wrong; '' when nothing is. */
  reason: string
}

export const nothingMissing: MissingRows = { bytes: 0, blocks: 0, rows: 0 }

/** Where the blocks that begin the file, one after the other, end. */
export function unbrokenEnd(blocks: readonly WholeBlock[]): number {
  let end = 0
  for (const { offset, bytes } of blocks) {
    if (offset !== end) break
    end += bytes
  }
  return end
}

/** Bytes that a disk writes at once. */
const sectorBytes = 512

/** Whether the file from `from` on ends in zeros, as a power cut leaves what was not written. Rows themselves may end in a few of them. */
export function endsUnwritten(rows: Buffer, from: number): boolean {
  const lastSector = Math.floor((rows.length - 1) / sectorBytes) * sectorBytes
  return rows.subarray(Math.max(from, lastSector)).every((byte) => byte === 0)
}

export function sumBytes(blocks: readonly { bytes: number }[]): number {
  return blocks.reduce((sum, { bytes }) => sum + bytes, 0)
}
