import type { ColumnType, RowOf, Table } from './table.ts'

const two32 = 4294967296

/** Reads rows as `rowEncoder` writes them. Bytes of other makers may make it fail in any way. */
export interface RowReader<T extends Table> {
  /** The row whose first byte is at `start`. */
  read(bytes: Buffer, start: number): RowOf<T>
  /** Where the value of that column stands, with its length where it has one, in the row whose first byte is at `start`. */
  find(bytes: Buffer, start: number, column: keyof T['columns'] & string): ValuePlace
}

export interface ValuePlace {
  start: number
  /** After its last byte. */
  end: number
}

class Reader {
  readonly #bytes: Buffer
  at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.#bytes[this.at++] as number
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte()
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }

  text(): string {
    const size = this.varint()
    return this.#bytes.toString('utf8', this.at, (this.at += size))
  }

  skipText(): void {
    const size = this.varint()
    this.at += size
  }

  int64(): number {
    const at = this.at
    this.at += 8
    return this.#bytes.readUInt32LE(at) + this.#bytes.readInt32LE(at + 4) * two32
  }

  uint64(): bigint {
    this.at += 8
    return this.#bytes.readBigUInt64LE(this.at - 8)
  }
}

/** How the values of a type are read, and how they are passed over. */
interface ValueReader {
  read(reader: Reader): unknown
  skip(reader: Reader): void
}

const text: ValueReader = { read: (reader) => reader.text(), skip: (reader) => reader.skipText() }
const int64: ValueReader = { read: (reader) => reader.int64(), skip: (reader) => void (reader.at += 8) }
const texts: ValueReader = {
  read: (reader) => Array.from({ length: reader.varint() }, () => reader.text()),
  skip: (reader) => {
    for (let left = reader.varint(); left > 0; left--) reader.skipText()
  },
}

function nullable({ read, skip }: ValueReader): ValueReader {
  return {
    read: (reader) => (reader.byte() === 1 ? null : read(reader)),
    skip: (reader) => {
      if (reader.byte() === 0) skip(reader)
    },
  }
}

const readers: Readonly<Record<ColumnType, ValueReader>> = {
  String: text,
  'LowCardinality(String)': text,
  'Nullable(String)': nullable(text),
  UInt8: { read: (reader) => reader.byte(), skip: (reader) => void reader.at++ },
  UInt64: { read: (reader) => reader.uint64(), skip: (reader) => void (reader.at += 8) },
  'Nullable(Int64)': nullable(int64),
  'DateTime64(6)': int64,
  'Nullable(DateTime64(6))': nullable(int64),
  'Array(String)': texts,
  JSON: text,
}

/** Reads single rows of RowBinary again, in the order of the table's columns. */
export function rowReader<T extends Table>(table: T): RowReader<T> {
  const columns = Object.entries(table.columns).map(([name, { type }]) => ({ name, ...readers[type] }))
  return {
    read(bytes, start) {
      const reader = new Reader(bytes, start)
      return Object.fromEntries(columns.map(({ name, read }) => [name, read(reader)])) as RowOf<T>
    },
    find(bytes, start, column) {
      const reader = new Reader(bytes, start)
      for (const { name, skip } of columns) {
        const valueStart = reader.at
        skip(reader)
        if (name === column) return { start: valueStart, end: reader.at }
      }
      throw new Error(`the table has no column ${column}`)
    },
  }
}
