import { crc32 } from 'node:zlib'
import { endsUnwritten, type PartReading, sumBytes, type WholeBlock } from './part-reading.ts'

/** Bytes and checksum of a block, as two unsigned numbers, little-endian. */
const entryBytes = 8
const columnLine = /^[a-z][a-z0-9_]*( [a-z][a-z0-9_]*)*$/

/**
 * Reads a part of format 1: a header of columns, and index entries without checksums. A damaged entry hides where the later blocks begin; if the file
 * is complete, they are located from its end. The format does not mark the last write, so a tail without an intact block after it counts as an
 * unfinished write, or is doubtful if all of its bytes are there.
 * @returns undefined for another format.
 */
export function readFirstFormat(rows: Buffer, blockIndex: Buffer, known: readonly (readonly string[])[]): PartReading | undefined {
  const header = headerOf(rows, blockIndex, known)
  if (header === undefined) return undefined
  const { columns, isDamaged } = header
  const sizes = entriesOf(blockIndex, header.bytes)
  const blocks = locate(rows, sizes)
  const missingBytes = Math.max(0, ...blocks.map(({ offset, bytes }) => offset + bytes)) - sumBytes(blocks)
  const isLost = missingBytes > 0
  const missing = { bytes: missingBytes, blocks: isLost ? undefined : 0, rows: isLost ? undefined : 0 }
  if (isLost) return { columns, blocks, state: 'damaged', missing, reason: 'checksum mismatch in a block of rows or its index entry' }
  if (isDamaged) return { columns, blocks, state: 'damaged', missing, reason: 'the header with the columns is damaged' }
  const end = sumBytes(blocks)
  const next = sizes[blocks.length]?.bytes ?? 0
  if (next > 0 && end + next <= rows.length && !endsUnwritten(rows, end)) {
    const last = { bytes: rows.length - end, blocks: undefined, rows: undefined }
    return { columns, blocks, state: 'doubtful', missing: last, reason: 'checksum mismatch in the last block' }
  }
  return { columns, blocks, state: 'whole', missing, reason: '' }
}

interface Size {
  bytes: number
  checksum: number
}

function headerOf(rows: Buffer, blockIndex: Buffer, known: readonly (readonly string[])[]) {
  const end = blockIndex.indexOf(10)
  const line = end < 0 ? '' : blockIndex.toString('latin1', 0, end)
  if (columnLine.test(line)) return { columns: line.split(' '), bytes: end + 1, isDamaged: false }
  const columns = known.find((each) => locate(rows, entriesOf(blockIndex, each.join(' ').length + 1)).length > 0)
  return columns && { columns, bytes: columns.join(' ').length + 1, isDamaged: true }
}

function entriesOf(blockIndex: Buffer, from: number): Size[] {
  const sizes: Size[] = []
  for (let at = from; at + entryBytes <= blockIndex.length; at += entryBytes)
    sizes.push({ bytes: blockIndex.readUInt32LE(at), checksum: blockIndex.readUInt32LE(at + 4) })
  return sizes
}

/** Intact blocks, located by the sizes before them, or from the end of the file if one of those is damaged. */
function locate(rows: Buffer, sizes: readonly Size[]): WholeBlock[] {
  const found = new Map<number, WholeBlock>()
  const take = (index: number, offset: number): void => {
    const size = sizes[index]
    if (!size || size.bytes === 0 || offset < 0 || offset + size.bytes > rows.length) return
    if (crc32(rows.subarray(offset, offset + size.bytes)) === size.checksum) found.set(index, { offset, bytes: size.bytes, rows: 0 })
  }
  let offset = 0
  for (const [index, size] of sizes.entries()) {
    take(index, offset)
    offset += size.bytes
  }
  let end = rows.length
  for (const [index, size] of [...sizes.entries()].toReversed()) {
    if (!found.has(index)) take(index, end - size.bytes)
    end -= size.bytes
  }
  let last = 0
  return [...found.entries()]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([, block]) => {
      if (block.offset < last) return []
      last = block.offset + block.bytes
      return [block]
    })
}
