import type { ColumnType, RowOf, Table } from './table.ts'

const two32 = 4294967296

/** Reads rows as `rowEncoder` writes them. Bytes of other makers may make it fail in any way. */
export interface RowReader<T extends Table> {
  /** The row whose first byte is at `start`. */
  open(bytes: Buffer, start: number): OpenRow<T>
}

type ColumnOf<T extends Table> = keyof T['columns'] & string
type ColumnOfType<T extends Table, Type extends ColumnType> = {
  [K in ColumnOf<T>]: T['columns'][K]['type'] extends Type ? K : never
}[ColumnOf<T>]

/** Columns whose values can be set after their row was encoded, since they are all of one size. */
export type SettableColumn<T extends Table> = ColumnOfType<T, 'UInt64' | 'DateTime64(6)'>
export type TextColumn<T extends Table> = ColumnOfType<T, 'String' | 'LowCardinality(String)'>

/** One row. Its values are read when they are asked for. */
export interface OpenRow<T extends Table> {
  toRow(): RowOf<T>
  value<C extends ColumnOf<T>>(column: C): RowOf<T>[C]
  /** Sets a value in the bytes of the row. @throws RangeError for a value that its type cannot hold. */
  setValue<C extends SettableColumn<T>>(column: C, value: RowOf<T>[C]): void
  /** Overwrites the last characters of a text, where both these and the given ones are ASCII. @throws RangeError where the text is shorter. */
  setEndOfText(column: TextColumn<T>, end: string): void
  /** Where the value of a column stands, with its length where it has one. */
  placeOf(column: ColumnOf<T>): ValuePlace
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

  double(): number {
    this.at += 8
    return this.#bytes.readDoubleLE(this.at - 8)
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

const doubles: ValueReader = {
  read: (reader) => Array.from({ length: reader.varint() }, () => reader.double()),
  skip: (reader) => {
    const count = reader.varint()
    reader.at += count * 8
  },
}

/** Paths and texts, each text after the byte of its type. */
const leaves: ValueReader = {
  read: (reader) => {
    const parts: string[] = []
    for (let left = reader.varint(); left > 0; left--) {
      parts.push(reader.text())
      reader.byte()
      parts.push(reader.text())
    }
    return parts
  },
  skip: (reader) => {
    for (let left = reader.varint(); left > 0; left--) {
      reader.skipText()
      reader.byte()
      reader.skipText()
    }
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
  'Array(Float64)': doubles,
  JSON: leaves,
}

/** Reads single rows of RowBinary again, in the order of the table's columns. */
export function rowReader<T extends Table>(table: T): RowReader<T> {
  const columns = Object.entries(table.columns).map(([name, { type }], index) => ({ name, index, ...readers[type] }))
  const byName = new Map(columns.map((column) => [column.name, column]))
  const columnOf = (name: string) => {
    const column = byName.get(name)
    if (column === undefined) throw new Error(`table ${table.name} has no column ${name}`)
    return column
  }
  return {
    open(bytes, start) {
      const reader = new Reader(bytes, start)
      // Where each value begins, and where the row ends, as far as was asked for.
      const starts = new Uint32Array(columns.length + 1)
      starts[0] = start
      let known = 0
      const startOf = (index: number): number => {
        for (; known < index; starts[++known] = reader.at) columns[known]?.skip(reader)
        return starts[index] as number
      }
      const placeOf = (column: string): ValuePlace => {
        const { index } = columnOf(column)
        return { start: startOf(index), end: startOf(index + 1) }
      }
      const valueOf = ({ index, read }: (typeof columns)[number]) => read(new Reader(bytes, startOf(index)))
      return {
        toRow: () => Object.fromEntries(columns.map((column) => [column.name, valueOf(column)])) as RowOf<T>,
        value: (column) => valueOf(columnOf(column)) as RowOf<T>[typeof column],
        setValue(column, value) {
          const at = startOf(columnOf(column).index)
          // Times are numbers.
          if (typeof value === 'bigint') bytes.writeBigUInt64LE(value, at)
          else bytes.writeBigInt64LE(BigInt(value as number), at)
        },
        setEndOfText(column, ending) {
          const { start, end } = placeOf(column)
          const length = new Reader(bytes, start).varint()
          if (ending.length > length)
            throw new RangeError(`${table.name}.${column} has ${length} bytes, fewer than the ${ending.length} of its end`)
          bytes.write(ending, end - ending.length, 'latin1')
        },
        placeOf,
      }
    },
  }
}
