import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodeMark, encodeEntry, headerLine, entryBytes } from './block-index.ts'
import { readPart } from './read-part.ts'

const columns = ['id', 'text']
const texts = ['first block ', 'second ', 'the third', ' and a last one']
/** Blocks of a part by the writes that brought them. */
const batches = [[0, 1], [2], [3]]

interface Files {
  rows: Buffer
  blockIndex: Buffer
}

/** The files of a part. With `isMarked`, as they are once its last write is on disk. */
function aPart({ isMarked }: { isMarked: boolean }): Files {
  const header = headerLine(columns)
  const blockIndex = [header]
  let offset = 0
  for (const batch of batches) {
    const batchStart = offset
    for (const index of batch) {
      const bytes = Buffer.from(texts[index] ?? '')
      blockIndex.push(encodeEntry({ offset, batchStart, bytes: bytes.length, rows: index + 1, checksum: crc32(bytes) }, header))
      offset += bytes.length
    }
  }
  if (isMarked) blockIndex.push(encodeMark(offset, header))
  return { rows: Buffer.from(texts.join('')), blockIndex: Buffer.concat(blockIndex) }
}

/** The files of a part in the format before: a line of columns, and a size and a checksum for each block. */
function aFirstFormat(): Files {
  const sizes = texts.map((text) => {
    const record = Buffer.alloc(8)
    record.writeUInt32LE(text.length)
    record.writeUInt32LE(crc32(text), 4)
    return record
  })
  return { rows: Buffer.from(texts.join('')), blockIndex: Buffer.concat([Buffer.from(`${columns.join(' ')}\n`), ...sizes]) }
}

const headerBytes = headerLine(columns).length
const bitsOf = (file: Buffer) => Array.from({ length: file.length * 8 }, (_, bit) => bit)

function flipped(file: Buffer, bit: number): Buffer {
  const copy = Buffer.from(file)
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

/** What is read, and which of the blocks. @throws AssertionError for a block that was never written */
function read(files: { rows: Buffer | undefined; blockIndex: Buffer | undefined }) {
  const reading = readPart(files, [columns])
  const found = reading.blocks.map(({ offset, bytes }) => texts.indexOf(files.rows?.toString('latin1', offset, offset + bytes) ?? ''))
  expect(found).not.toContain(-1)
  expect(new Set(found).size).toBe(found.length)
  const lost = texts.filter((_, index) => !found.includes(index))
  return { ...reading, found, lost, lostBytes: lost.join('').length }
}

test('an undamaged part yields all of its blocks, in both formats', () => {
  for (const files of [aPart({ isMarked: true }), aPart({ isMarked: false }), aFirstFormat()])
    expect(read(files)).toMatchObject({ columns, state: 'whole', found: [0, 1, 2, 3] })
})

test('any flipped bit in the rows loses one block, whose bytes and rows are reported', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  for (const bit of bitsOf(rows)) {
    const { state, missing, lost, found } = read({ rows: flipped(rows, bit), blockIndex })
    const index = texts.indexOf(lost[0] ?? '')
    expect({ state, missing, found }).toEqual({
      state: 'damaged',
      missing: { bytes: texts[index]?.length, blocks: 1, rows: index + 1 },
      found: [0, 1, 2, 3].filter((each) => each !== index),
    })
  }
})

test('any flipped bit in the index loses at most the block of that record, and the loss is reported', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  for (const bit of bitsOf(blockIndex)) {
    const { state, missing, lost, lostBytes, found } = read({ rows, blockIndex: flipped(blockIndex, bit) })
    const record = Math.floor(((bit >> 3) - headerBytes) / entryBytes)
    expect(found).toEqual(expect.arrayContaining([0, 1, 2, 3].filter((index) => index !== record)))
    expect(missing.bytes).toBe(lostBytes)
    // The last is the mark, behind which is nothing.
    if (lost.length > 0 || record < texts.length) expect(state).toBe('damaged')
  }
})

test('a damaged header is recovered from the columns of the table, and without them no rows are invented', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  for (let bit = 0; bit < headerBytes * 8; bit++) {
    const damaged = flipped(blockIndex, bit)
    expect(read({ rows, blockIndex: damaged })).toMatchObject({ columns, state: 'damaged', found: [0, 1, 2, 3], missing: { bytes: 0 } })
    const isOtherVersion = /^HEDDLE-JOURNAL \d /.test(damaged.toString('latin1'))
    if (!isOtherVersion) expect(readPart({ rows, blockIndex: damaged })).toMatchObject({ blocks: [], state: 'damaged' })
  }
})

test('files truncated at any byte yield every block that is still there, and report the missing ones', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  for (let length = 0; length < rows.length; length++) {
    const { state, lost, missing, lostBytes } = read({ rows: rows.subarray(0, length), blockIndex })
    expect({ state, bytes: missing.bytes }).toEqual({ state: 'damaged', bytes: lostBytes })
    expect(lost.length).toBeGreaterThan(0)
  }
  for (let length = 0; length < blockIndex.length; length++) {
    const { state, found, lost } = read({ rows, blockIndex: blockIndex.subarray(0, length) })
    expect(found.length).toBe(Math.min(texts.length, Math.max(0, Math.floor((length - headerBytes) / entryBytes))))
    expect(state !== 'whole').toBe(lost.length > 0)
  }
})

test('a missing file is damage, and rows that were never written are not', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  expect(read({ rows, blockIndex: undefined })).toMatchObject({ state: 'damaged', missing: { bytes: rows.length, rows: undefined } })
  expect(read({ rows: undefined, blockIndex })).toMatchObject({ state: 'damaged', missing: { bytes: rows.length, blocks: 4, rows: 10 } })
  for (const files of [
    { rows: undefined, blockIndex: undefined },
    { rows: Buffer.alloc(0), blockIndex: undefined },
    { rows: Buffer.alloc(0), blockIndex: headerLine(columns) },
    { rows: Buffer.alloc(0), blockIndex: Buffer.alloc(0) },
    { rows: undefined, blockIndex: headerLine(columns).subarray(0, 5) },
  ])
    expect(readPart(files, [columns])).toMatchObject({ state: 'whole', blocks: [] })
})

test('an incomplete write is truncated without a report, wherever it stopped, also where a power cut left zeros', () => {
  const { rows, blockIndex } = aPart({ isMarked: false })
  const lastStart = texts.slice(0, 3).join('').length
  for (let length = lastStart; length < rows.length; length++) {
    const cut = rows.subarray(0, length)
    expect(read({ rows: cut, blockIndex })).toMatchObject({ state: 'whole', found: [0, 1, 2] })
  }
  const zeros = Buffer.concat([rows.subarray(0, lastStart), Buffer.alloc(rows.length - lastStart)])
  expect(read({ rows: zeros, blockIndex })).toMatchObject({ state: 'whole', found: [0, 1, 2] })
  const noRecord = blockIndex.subarray(0, blockIndex.length - entryBytes)
  const withoutRows = rows.subarray(0, lastStart)
  for (let length = noRecord.length; length <= blockIndex.length; length++) {
    const zeros = Buffer.concat([blockIndex.subarray(0, length), Buffer.alloc(blockIndex.length - length)])
    for (const torn of [blockIndex.subarray(0, length), zeros])
      expect(read({ rows: withoutRows, blockIndex: torn })).toMatchObject({ state: 'whole', found: [0, 1, 2] })
  }
})

test('a corrupt but complete last block may have been acknowledged, even without a later write that proves it', () => {
  const { rows, blockIndex } = aPart({ isMarked: false })
  for (const bit of bitsOf(rows).slice(texts.slice(0, 3).join('').length * 8))
    expect(read({ rows: flipped(rows, bit), blockIndex })).toMatchObject({ state: 'doubtful', found: [0, 1, 2], missing: { bytes: 15 } })
})

test('bytes after the last record may have been acknowledged, and zeros cannot have been', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  const followed = (bytes: Buffer) => read({ rows: Buffer.concat([rows, bytes]), blockIndex })
  expect(followed(Buffer.from('garbage'))).toMatchObject({ state: 'doubtful', found: [0, 1, 2, 3], missing: { bytes: 7 } })
  expect(followed(Buffer.alloc(7))).toMatchObject({ state: 'whole', found: [0, 1, 2, 3] })
  const garbage = Buffer.from('garbage'.repeat(9))
  expect(read({ rows, blockIndex: Buffer.concat([blockIndex, garbage]) })).toMatchObject({ state: 'whole', found: [0, 1, 2, 3] })
})

test('swapped or repeated blocks and records never yield a block twice or in place of another', () => {
  const { rows, blockIndex } = aPart({ isMarked: true })
  const at = (index: number) => blockIndex.subarray(headerBytes + index * entryBytes, headerBytes + (index + 1) * entryBytes)
  const withRecords = (...order: number[]) =>
    read({ rows, blockIndex: Buffer.concat([blockIndex.subarray(0, headerBytes), ...order.map(at)]) })
  expect(withRecords(1, 0, 3, 2, 4).found).toEqual([0, 1, 2, 3])
  expect(withRecords(0, 0, 1, 2, 2, 3, 4).found).toEqual([0, 1, 2, 3])
  expect(withRecords(0, 2, 3, 4)).toMatchObject({ state: 'damaged', found: [0, 2, 3], missing: { bytes: 7 } })
  const swapped = Buffer.from([texts[1], texts[0], texts[2], texts[3]].join(''))
  expect(read({ rows: swapped, blockIndex })).toMatchObject({ state: 'damaged', found: [2, 3], missing: { bytes: 19, blocks: 2, rows: 3 } })
  const repeated = Buffer.from([texts[0], ...texts].join(''))
  expect(read({ rows: repeated, blockIndex })).toMatchObject({ state: 'damaged', found: [0] })
})

test('records of a newer format are refused', () => {
  const { rows } = aPart({ isMarked: true })
  expect(() => readPart({ rows, blockIndex: Buffer.from('HEDDLE-JOURNAL 3 id text\nand more') })).toThrow('newer version')
})

test('previous format: a flipped bit loses at most one block, which is reported, as uncertain where no whole block follows', () => {
  const { rows, blockIndex } = aFirstFormat()
  const lineBits = `${columns.join(' ')}\n`.length * 8
  for (const bit of bitsOf(rows)) {
    const { lost, found, state } = read({ rows: flipped(rows, bit), blockIndex })
    expect(lost).toHaveLength(1)
    expect(state).toBe(found.includes(3) ? 'damaged' : 'doubtful')
  }
  for (const bit of bitsOf(blockIndex).slice(lineBits)) {
    const { lost, found, state } = read({ rows, blockIndex: flipped(blockIndex, bit) })
    expect(lost).toHaveLength(1)
    // The size of the last one is all that says how much should be there.
    if (found.includes(3)) expect(state).toBe('damaged')
    else expect(['doubtful', 'whole']).toContain(state)
  }
})

test('previous format: files truncated at any byte yield the blocks before, as after an incomplete write', () => {
  const { rows, blockIndex } = aFirstFormat()
  for (let length = 0; length <= rows.length; length++) expect(read({ rows: rows.subarray(0, length), blockIndex }).state).toBe('whole')
  expect(read({ rows: rows.subarray(0, 20), blockIndex }).found).toEqual([0, 1])
})
