import type { RowBlock } from '../analytical.ts'
import { StoreError } from '../../work/store-error.ts'
import type { ColumnType, RowOf, Table } from '../table.ts'

/** A row whose texts may already be encoded as UTF-8. */
export type EncodableRow<T extends Table> = {
  [K in keyof T['columns']]: RowOf<T>[K] | (T['columns'][K]['type'] extends 'String' ? Uint8Array : never)
}

const two32 = 4294967296
const usualBytes = 16_384
const nothing = Buffer.alloc(0)

/** Turns rows of one table into a block. Not for concurrent use. */
export interface RowEncoder<T extends Table> {
  /** Bytes of the rows added since the last block. */
  readonly byteLength: number
  /** Rows added since the last block. */
  readonly rows: number
  /** @throws StoreError `data` when a value does not have its column's type; the block is then as it was before the row. */
  add(row: EncodableRow<T>): void
  /** The rows added since the last block. The encoder keeps no reference to the bytes. */
  finish(): RowBlock
}

/** A growing buffer with the primitives of RowBinary. */
class Writer {
  bytes: Buffer
  at = 0

  constructor(memory: Buffer) {
    this.bytes = memory
  }

  reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + size, usualBytes))
    this.bytes.copy(grown, 0, 0, this.at)
    this.bytes = grown
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.at++] = value
  }

  text(value: string): void {
    if (value.length < 43) this.#shortText(value)
    else this.#longText(value)
  }

  /** At most 42 characters are at most 126 bytes, so the length takes one byte. A loop beats a call into the runtime here. */
  #shortText(value: string): void {
    this.reserve(127)
    const bytes = this.bytes
    const start = this.at + 1
    let at = start
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index)
      if (code > 127) {
        at = start + bytes.write(value, start, 'utf8')
        break
      }
      bytes[at++] = code
    }
    bytes[this.at] = at - start
    this.at = at
  }

  #longText(value: string): void {
    const longest = value.length * 3
    const width = widthOf(longest)
    this.reserve(longest + width)
    const size = this.bytes.write(value, this.at + width, 'utf8')
    this.#varint(size, width)
    this.at += size
  }

  textBytes(text: Uint8Array): void {
    const size = text.byteLength
    this.varint(size)
    this.reserve(size)
    this.bytes.set(text, this.at)
    this.at += size
  }

  varint(value: number): void {
    this.reserve(5)
    this.#varint(value, value < 128 ? 1 : value < 16_384 ? 2 : 5)
  }

  #varint(value: number, width: number): void {
    let rest = value
    for (let index = 1; index < width; index++) {
      this.bytes[this.at++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.at++] = rest
  }

  /** A whole number within the safe range, as Int64. */
  int64(value: number): void {
    this.reserve(8)
    const high = Math.floor(value / two32)
    this.#word(value - high * two32)
    this.#word(high)
  }

  #word(value: number): void {
    const bytes = this.bytes
    bytes[this.at++] = value
    bytes[this.at++] = value >>> 8
    bytes[this.at++] = value >>> 16
    bytes[this.at++] = value >>> 24
  }

  uint64(value: bigint): void {
    this.reserve(8)
    this.at = this.bytes.writeBigUInt64LE(value, this.at)
  }

  double(value: number): void {
    this.reserve(8)
    this.at = this.bytes.writeDoubleLE(value, this.at)
  }
}

/** Bytes of the length of a text, which is a varint padded to the width that the longest encoding of the text may need. */
function widthOf(longest: number): number {
  if (longest < 2 ** 14) return 2
  return longest < 2 ** 21 ? 3 : longest < 2 ** 28 ? 4 : 5
}

type WriteValue = (writer: Writer, value: unknown) => boolean

function writeText(writer: Writer, value: unknown): boolean {
  if (typeof value !== 'string') return false
  writer.text(value)
  return true
}

function writeTextOrBytes(writer: Writer, value: unknown): boolean {
  if (!(value instanceof Uint8Array)) return writeText(writer, value)
  writer.textBytes(value)
  return true
}

function writeInt64(writer: Writer, value: unknown): boolean {
  if (!Number.isSafeInteger(value)) return false
  writer.int64(value as number)
  return true
}

function writeUInt8(writer: Writer, value: unknown): boolean {
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 255) return false
  writer.byte(value as number)
  return true
}

function writeUInt64(writer: Writer, value: unknown): boolean {
  if (typeof value !== 'bigint' || value < 0n || value > 0xffffffffffffffffn) return false
  writer.uint64(value)
  return true
}

function writeTexts(writer: Writer, value: unknown): boolean {
  if (!Array.isArray(value)) return false
  writer.varint(value.length)
  return value.every((item) => writeText(writer, item))
}

function writeDoubles(writer: Writer, value: unknown): boolean {
  if (!Array.isArray(value) || !value.every(Number.isFinite)) return false
  writer.varint(value.length)
  for (const number of value as number[]) writer.double(number)
  return true
}

/** The code of String among the types of values. */
const stringType = 0x15

/** Paths with the types and values of their leaves, the engine's binary form of JSON. */
function writeLeaves(writer: Writer, value: unknown): boolean {
  if (!Array.isArray(value) || value.length % 2 !== 0) return false
  const leaves: unknown[] = value
  writer.varint(leaves.length / 2)
  for (let index = 0; index < leaves.length; index += 2) {
    const path = leaves[index]
    const text = leaves[index + 1]
    if (typeof path !== 'string' || typeof text !== 'string') return false
    writer.text(path)
    writer.byte(stringType)
    writer.text(text)
  }
  return true
}

function nullable(write: WriteValue): WriteValue {
  return (writer, value) => {
    writer.byte(value === null ? 1 : 0)
    return value === null || write(writer, value)
  }
}

const writers: Readonly<Record<ColumnType, WriteValue>> = {
  String: writeTextOrBytes,
  'LowCardinality(String)': writeText,
  'Nullable(String)': nullable(writeText),
  UInt8: writeUInt8,
  UInt64: writeUInt64,
  'Nullable(Int64)': nullable(writeInt64),
  'DateTime64(6)': writeInt64,
  'Nullable(DateTime64(6))': nullable(writeInt64),
  'Array(String)': writeTexts,
  'Array(Float64)': writeDoubles,
  JSON: writeLeaves,
}

function wrongValue(place: string, type: ColumnType, value: unknown): StoreError {
  const shown = typeof value === 'string' ? `text of ${value.length} characters` : String(value)
  return new StoreError('data', `column ${place} takes ${type}, not ${shown}`)
}

/** Makes encoders of one table. `memory` as in `rowEncoder`. */
export type RowEncoders<T extends Table> = (memory?: number | Buffer) => RowEncoder<T>

/**
 * Encodes rows as RowBinary in the order of the table's columns. `memory` is for the first block: its approximate number of bytes, so that it need
 * not grow, or the buffer to write to.
 */
export function rowEncoder<T extends Table>(table: T, memory?: number | Buffer): RowEncoder<T> {
  return rowEncoders(table)(memory)
}

/** Creates encoders for many blocks. */
export function rowEncoders<T extends Table>(table: T): RowEncoders<T> {
  const columns = Object.entries(table.columns).map(([name, column]) => ({ name, type: column.type, write: writers[column.type] }))
  return (memory = usualBytes) => {
    let writer = new Writer(typeof memory === 'number' ? Buffer.allocUnsafe(memory) : memory)
    let rows = 0
    return {
      get byteLength() {
        return writer.at
      },
      get rows() {
        return rows
      },
      add(row) {
        const start = writer.at
        const values: Readonly<Record<string, unknown>> = row
        for (const column of columns) {
          if (column.write(writer, values[column.name])) continue
          writer.at = start
          throw wrongValue(`${table.name}.${column.name}`, column.type, values[column.name])
        }
        rows++
      },
      finish() {
        const block = { bytes: writer.bytes.subarray(0, writer.at), rows }
        writer = new Writer(nothing)
        rows = 0
        return block
      },
    }
  }
}
