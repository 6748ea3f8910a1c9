import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRow } from './empty-row.ts'
import { rowEncoder } from './row-binary.ts'
import type { ColumnType, Table } from '../table.ts'
import { anyRow, everyType, type EveryType } from '../testing/every-type.ts'

/** A plain reader of the format, by its description rather than by the encoder. */
function decode(table: Table, bytes: Uint8Array): Record<string, unknown>[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = buffer.readUInt8(at++)
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  const text = () => {
    const size = varint()
    at += size
    return buffer.toString('utf8', at - size, at)
  }
  const int64 = () => Number(buffer.readBigInt64LE((at += 8) - 8))
  const orNull = (read: () => unknown) => (buffer.readUInt8(at++) === 1 ? null : read())
  const ofStringType = () => {
    expect(buffer.readUInt8(at++)).toBe(0x15)
  }
  const readers: Record<ColumnType, () => unknown> = {
    String: text,
    'LowCardinality(String)': text,
    'Nullable(String)': () => orNull(text),
    UInt8: () => buffer.readUInt8(at++),
    UInt64: () => buffer.readBigUInt64LE((at += 8) - 8),
    'Nullable(Int64)': () => orNull(int64),
    'DateTime64(6)': int64,
    'Nullable(DateTime64(6))': () => orNull(int64),
    'Array(String)': () => Array.from({ length: varint() }, text),
    'Array(Float64)': () => Array.from({ length: varint() }, () => buffer.readDoubleLE((at += 8) - 8)),
    JSON: () => Array.from({ length: varint() }, () => [text(), ofStringType(), text()].filter((part) => part !== undefined)).flat(),
  }
  const rows = []
  while (at < buffer.length)
    rows.push(Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, readers[column.type]()])))
  return rows
}

const aRow = emptyRow(everyType)

function block(...rows: EveryType[]) {
  const encoder = rowEncoder(everyType)
  for (const row of rows) encoder.add(row)
  return encoder.finish()
}

test('rows read back as they were added, in their order', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 8 }), (rows) => {
      const { bytes, rows: count } = block(...rows)
      expect(count).toBe(rows.length)
      expect(decode(everyType, bytes)).toEqual(rows)
    }),
    { numRuns: 200 },
  )
})

test.each([0, 1, 41, 42, 43, 44, 126, 127, 128, 5_460, 5_461, 16_383, 16_384, 699_050, 699_051])(
  'a text of %i characters keeps its length, in ASCII and beyond',
  (length) => {
    for (const character of ['a', 'ß', '€']) {
      const row = { ...aRow, text: character.repeat(length), word: `a${character.repeat(length)}` }
      expect(decode(everyType, block(row).bytes)).toEqual([row])
    }
  },
)

test.each([0, 127, 128, 16_383, 16_384, 3_000_000])('a text given as %i bytes equals the text', (length) => {
  const text = 'a'.repeat(length)
  const encoder = rowEncoder(everyType, 16)
  encoder.add({ ...aRow, text: Buffer.from(text) })
  expect(decode(everyType, encoder.finish().bytes)).toEqual([{ ...aRow, text }])
})

test('half of a surrogate pair becomes the replacement character, so the bytes are always text', () => {
  expect(decode(everyType, block({ ...aRow, text: 'a\ud800b' }).bytes)).toMatchObject([{ text: 'a\ufffdb' }])
})

test.each([
  ['text', 5, 'String, not 5'],
  ['text', undefined, 'String, not undefined'],
  ['flag', 256, 'UInt8, not 256'],
  ['version', -1n, 'UInt64, not -1'],
  ['version', 3, 'UInt64, not 3'],
  ['at', 1.5, 'DateTime64(6), not 1.5'],
  ['maybe_at', 'today', 'Nullable(DateTime64(6)), not text of 5 characters'],
  ['texts', ['a', 1], 'Array(String), not a,1'],
  ['document', ['path'], 'JSON, not path'],
  ['document', ['path', 1], 'JSON, not path,1'],
])('a wrong %s is refused by name, and the rows before it stay', (column, value, message) => {
  const encoder = rowEncoder(everyType)
  encoder.add(aRow)
  expect(() => encoder.add({ ...aRow, [column]: value } as EveryType)).toThrow(`column every_type.${column} takes ${message}`)
  encoder.add({ ...aRow, text: 'after' })
  expect(decode(everyType, encoder.finish().bytes)).toMatchObject([{ text: '' }, { text: 'after' }])
})

test('a finished block does not change when more rows are added', () => {
  const encoder = rowEncoder(everyType)
  encoder.add({ ...aRow, text: 'first' })
  expect([encoder.rows, encoder.byteLength > 0]).toEqual([1, true])
  const first = encoder.finish()
  expect([encoder.rows, encoder.byteLength]).toEqual([0, 0])
  encoder.add({ ...aRow, text: 'second' })
  expect(decode(everyType, first.bytes)).toMatchObject([{ text: 'first' }])
})
