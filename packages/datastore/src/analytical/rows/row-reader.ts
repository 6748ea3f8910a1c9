import type { ColumnType, RowOf, Table } from '../table.ts'

const two32 = 4294967296

/** Reads rows as `rowEncoder` writes them. Bytes from any other source may make it fail in any way. */
export interface RowReader<T extends Table> {
  /** The row whose first byte is at `start`. */
  open(bytes: Buffer, start: number): OpenRow<T>
}

type ColumnOf<T extends Table> = keyof T['columns'] & string
type ColumnOfType<T extends Table, Type extends ColumnType> = {
  [K in ColumnOf<T>]: T['columns'][K]['type'] extends Type ? K : never
}[ColumnOf<T>]

/** Columns whose values can be set after their row was encoded, since all values have the same size. */
export type SettableColumn<T extends Table> = ColumnOfType<T, 'UInt64' | 'DateTime64(6)'>
export type TextColumn<T extends Table> = ColumnOfType<T, 'String' | 'LowCardinality(String)'>

/** One row. Its values are read on demand. */
export interface OpenRow<T extends Table> {
  toRow(): RowOf<T>
  value<C extends ColumnOf<T>>(column: C): RowOf<T>[C]
  /** Sets a value in the bytes of the row. @throws RangeError for a value that its type cannot hold. */
  setValue<C extends SettableColumn<T>>(column: C, value: RowOf<T>[C]): void
  /** Overwrites the last characters of a text; both the old and the new ones must be ASCII. @throws RangeError if the text is shorter. */
  setEndOfText(column: TextColumn<T>, end: string): void
  /** Where the value of a column begins, with its length if it has one. */
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

type ValueReader = (reader: Reader) => unknown

/** Paths and texts, each text after the byte of its type. */
const readLeaves: ValueReader = (reader) => {
  const parts: string[] = []
  for (let left = reader.varint(); left > 0; left--) {
    parts.push(reader.text())
    reader.byte()
    parts.push(reader.text())
  }
  return parts
}
const readText: ValueReader = (reader) => reader.text()
const readInt64: ValueReader = (reader) => reader.int64()
const nullable =
  (read: ValueReader): ValueReader =>
  (reader) =>
    reader.byte() === 1 ? null : read(reader)

const readers: Readonly<Record<ColumnType, ValueReader>> = {
  String: readText,
  'LowCardinality(String)': readText,
  'Nullable(String)': nullable(readText),
  UInt8: (reader) => reader.byte(),
  UInt64: (reader) => reader.uint64(),
  'Nullable(Int64)': nullable(readInt64),
  'DateTime64(6)': readInt64,
  'Nullable(DateTime64(6))': nullable(readInt64),
  'Array(String)': (reader) => Array.from({ length: reader.varint() }, () => reader.text()),
  'Array(Float64)': (reader) => Array.from({ length: reader.varint() }, () => reader.double()),
  JSON: readLeaves,
}

/** The number of bytes of a value: a constant, or determined by its first bytes. */
const layouts = { byte: 0, eight: 1, text: 2, texts: 3, eights: 4, leaves: 5 } as const

/** Layout of each type, and whether a leading byte marks null. */
const layoutOf: Readonly<Record<ColumnType, readonly [layout: number, isNullable: boolean]>> = {
  String: [layouts.text, false],
  'LowCardinality(String)': [layouts.text, false],
  'Nullable(String)': [layouts.text, true],
  UInt8: [layouts.byte, false],
  UInt64: [layouts.eight, false],
  'Nullable(Int64)': [layouts.eight, true],
  'DateTime64(6)': [layouts.eight, false],
  'Nullable(DateTime64(6))': [layouts.eight, true],
  'Array(String)': [layouts.texts, false],
  'Array(Float64)': [layouts.eights, false],
  JSON: [layouts.leaves, false],
}

/** The end of the value that begins at `start`. One function for all types, since every written row passes through it. */
function endOf(bytes: Buffer, start: number, layout: number, isNullable: boolean): number {
  if (isNullable && bytes[start] === 1) return start + 1
  const at = isNullable ? start + 1 : start
  if (layout === layouts.byte) return at + 1
  if (layout === layouts.eight) return at + 8
  if (layout === layouts.text) return endOfText(bytes, at)
  let count = bytes[at] as number
  let next = at + 1
  if (count > 127) {
    const reader = new Reader(bytes, at)
    count = reader.varint()
    next = reader.at
  }
  if (layout === layouts.eights) return next + count * 8
  for (; count > 0; count--) {
    next = endOfText(bytes, next)
    if (layout === layouts.leaves) next = endOfText(bytes, next + 1)
  }
  return next
}

function endOfText(bytes: Buffer, start: number): number {
  let length = 0
  let at = start
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] as number
    length += (byte & 127) * factor
    if (byte < 128) return at + length
  }
}

/** A column of a table, with what reading it needs. */
interface ReadColumn {
  name: string
  index: number
  read: ValueReader
  layout: number
  isNullable: boolean
}

/** The columns of a table in their order, and by their names. */
interface Layout {
  table: string
  columns: readonly ReadColumn[]
  byName: ReadonlyMap<string, ReadColumn>
}

/** Reads single rows of RowBinary again, in the order of the table's columns. */
export function rowReader<T extends Table>(table: T): RowReader<T> {
  const columns = Object.entries(table.columns).map(([name, { type }], index): ReadColumn => {
    const [layout, isNullable] = layoutOf[type]
    return { name, index, read: readers[type], layout, isNullable }
  })
  const layout: Layout = { table: table.name, columns, byName: new Map(columns.map((column) => [column.name, column])) }
  return { open: (bytes, start) => new Row<T>(layout, bytes, start) }
}

class Row<T extends Table> implements OpenRow<T> {
  readonly #layout: Layout
  readonly #bytes: Buffer
  /** Where each value begins, and where the row ends, as far as they have been read. */
  readonly #starts: Uint32Array
  #known = 0

  constructor(layout: Layout, bytes: Buffer, start: number) {
    this.#layout = layout
    this.#bytes = bytes
    this.#starts = new Uint32Array(layout.columns.length + 1)
    this.#starts[0] = start
  }

  toRow(): RowOf<T> {
    return Object.fromEntries(this.#layout.columns.map((column) => [column.name, this.#read(column)])) as RowOf<T>
  }

  value<C extends ColumnOf<T>>(column: C): RowOf<T>[C] {
    return this.#read(this.#column(column)) as RowOf<T>[C]
  }

  setValue<C extends SettableColumn<T>>(column: C, value: RowOf<T>[C]): void {
    const at = this.#startOf(this.#column(column).index)
    // Times are numbers.
    if (typeof value === 'bigint') this.#bytes.writeBigUInt64LE(value, at)
    else this.#bytes.writeBigInt64LE(BigInt(value as number), at)
  }

  setEndOfText(column: TextColumn<T>, ending: string): void {
    const { start, end } = this.placeOf(column)
    const length = new Reader(this.#bytes, start).varint()
    if (ending.length > length)
      throw new RangeError(`${this.#layout.table}.${column} has ${length} bytes, fewer than the ${ending.length} of its end`)
    this.#bytes.write(ending, end - ending.length, 'latin1')
  }

  placeOf(column: ColumnOf<T>): ValuePlace {
    const { index } = this.#column(column)
    return { start: this.#startOf(index), end: this.#startOf(index + 1) }
  }

  #column(name: string): ReadColumn {
    const column = this.#layout.byName.get(name)
    if (column === undefined) throw new Error(`table ${this.#layout.table} has no column ${name}`)
    return column
  }

  #read({ index, read }: ReadColumn): unknown {
    return read(new Reader(this.#bytes, this.#startOf(index)))
  }

  #startOf(index: number): number {
    const starts = this.#starts
    for (; this.#known < index; this.#known++) {
      const { layout, isNullable } = this.#layout.columns[this.#known] as ReadColumn
      starts[this.#known + 1] = endOf(this.#bytes, starts[this.#known] as number, layout, isNullable)
    }
    return starts[index] as number
  }
}
