import { rowEncoder, type EncodableRow } from './row-binary.ts'
import { rowReader } from './row-reader.ts'
import type { ColumnType, Table } from '../table.ts'

/** A part of a text: fixed bytes, or the number of a text that each row brings. */
export type TextPart = Uint8Array | number

/** The variable value of a column in a row. */
export type Slot =
  | { text: readonly TextPart[] }
  /** The texts of a column of JSON, paths and leaves in turn. */
  | { leaves: readonly (readonly TextPart[])[] }
  /** The number of an integer that each row brings. */
  | { integer: number }
  /** The bytes of the texts of these columns together. */
  | { bytesOf: readonly string[] }

/** The variable values of a row. The arrays may be longer than a template needs. */
export interface RowValues {
  /** Where each text begins, and how many bytes it has. */
  starts: Int32Array
  lengths: Int32Array
  /** 1 for a text that lies in `made`, 0 for one in `sent`. */
  isMade: Uint8Array
  sent: Buffer
  made: Buffer
  /** Whole numbers in the safe range. */
  integers: Float64Array
}

/** Writes rows that are equal except for some texts and integers. */
export interface RowTemplate {
  /** No row of these values has more bytes. */
  maxBytes(values: RowValues): number
  /** Writes a row at an offset that has room for it, and returns the offset of its end. */
  write(values: RowValues, into: Buffer, at: number): number
}

const opCodes = { fixed: 0, text: 1, length: 2, integer: 3, byteCount: 4 } as const

/** A step in writing a row: fixed bytes, a text or an integer of the row, or the bytes of some fixed parts and texts together as a length or as a number. */
interface Op {
  code: number
  bytes: Buffer
  index: number
  texts: Int32Array
}

const longestVarint = 5
const stringType = 0x15
const two32 = 4294967296
/** Shorter ones are copied byte by byte: a call into the runtime costs more. */
const shortText = 48

/**
 * A template of rows like `example`, in the RowBinary of `rowEncoder` except for lengths, which take as few bytes as possible. Columns in `slots`
 * have the values of each row; the others have the value of the example.
 */
export function rowTemplate<T extends Table>(table: T, example: EncodableRow<T>, slots: Readonly<Record<string, Slot>>): RowTemplate {
  const ops = new OpList()
  const encoder = rowEncoder(table)
  encoder.add(example)
  const encoded = Buffer.from(encoder.finish().bytes)
  const row = rowReader(table).open(encoded, 0)
  for (const [name, { type }] of Object.entries(table.columns)) {
    const slot = slots[name]
    if (slot === undefined) {
      const { start, end } = row.placeOf(name)
      ops.fixed(encoded.subarray(start, end))
    } else addSlot(ops, type, slot, slots, (other) => Buffer.from(row.value(other) as string))
  }
  return toTemplate(ops.list)
}

class OpList {
  readonly list: Op[] = []

  fixed(bytes: Uint8Array): void {
    const last = this.list.at(-1)
    if (last?.code === opCodes.fixed) last.bytes = Buffer.concat([last.bytes, bytes])
    else this.list.push({ code: opCodes.fixed, bytes: Buffer.from(bytes), index: 0, texts: noTexts })
  }

  add(code: number, index: number, texts: Int32Array = noTexts): void {
    this.list.push({ code, bytes: nothing, index, texts })
  }

  text(parts: readonly TextPart[]): void {
    this.add(opCodes.length, fixedBytesOf(parts), textsOf(parts))
    for (const part of parts) {
      if (typeof part === 'number') this.add(opCodes.text, part)
      else this.fixed(part)
    }
  }
}

const nothing = Buffer.alloc(0)
const noTexts = new Int32Array(0)
const isPresent = Uint8Array.of(0)

function addSlot(
  ops: OpList,
  type: ColumnType,
  slot: Slot,
  slots: Readonly<Record<string, Slot>>,
  textOf: (column: string) => Uint8Array,
): void {
  if (type.startsWith('Nullable(')) ops.fixed(isPresent)
  if ('text' in slot) ops.text(slot.text)
  else if ('integer' in slot) ops.add(opCodes.integer, slot.integer)
  else if ('leaves' in slot) addLeaves(ops, slot.leaves)
  else {
    const parts = slot.bytesOf.flatMap((column) => {
      const other = slots[column]
      return other !== undefined && 'text' in other ? other.text : [textOf(column)]
    })
    ops.add(opCodes.byteCount, fixedBytesOf(parts), textsOf(parts))
  }
}

function addLeaves(ops: OpList, texts: readonly (readonly TextPart[])[]): void {
  ops.fixed(varint(texts.length / 2))
  texts.forEach((text, index) => {
    if (index % 2 === 1) ops.fixed(Uint8Array.of(stringType))
    ops.text(text)
  })
}

function fixedBytesOf(parts: readonly TextPart[]): number {
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 0 : part.length), 0)
}

function textsOf(parts: readonly TextPart[]): Int32Array {
  return Int32Array.from(parts.filter((part) => typeof part === 'number'))
}

function varint(value: number): Uint8Array {
  const bytes = Buffer.alloc(longestVarint)
  return bytes.subarray(0, writeVarint(bytes, 0, value))
}

function writeVarint(into: Buffer, start: number, value: number): number {
  let at = start
  let rest = value
  for (; rest > 127; rest >>>= 7) into[at++] = (rest & 127) | 128
  into[at++] = rest
  return at
}

function writeInt64(into: Buffer, at: number, value: number): number {
  const high = Math.floor(value / two32)
  into.writeUInt32LE(value - high * two32, at)
  into.writeInt32LE(high, at + 4)
  return at + 8
}

function toTemplate(ops: readonly Op[]): RowTemplate {
  const texts = Int32Array.from(ops.filter(({ code }) => code === opCodes.text).map(({ index }) => index))
  const otherBytes = ops.reduce((sum, { code, bytes }) => sum + (code === opCodes.fixed ? bytes.length : 8), 0)
  return {
    maxBytes: (values) => sumOf(texts, values, otherBytes),
    write(values, into, start) {
      let at = start
      for (let step = 0; step < ops.length; step += 1) {
        const { code, bytes, index, texts } = ops[step] as Op
        if (code === opCodes.fixed) at = copy(bytes, 0, bytes.length, into, at)
        else if (code === opCodes.text) at = copyText(values, index, into, at)
        else if (code === opCodes.length) at = writeVarint(into, at, sumOf(texts, values, index))
        else if (code === opCodes.integer) at = writeInt64(into, at, values.integers[index] as number)
        else at = writeInt64(into, at, sumOf(texts, values, index))
      }
      return at
    },
  }
}

function sumOf(texts: Int32Array, { lengths }: RowValues, fixed: number): number {
  let sum = fixed
  for (let index = 0; index < texts.length; index += 1) sum += lengths[texts[index] as number] as number
  return sum
}

function copyText({ starts, lengths, isMade, made, sent }: RowValues, index: number, into: Buffer, at: number): number {
  return copy(isMade[index] === 1 ? made : sent, starts[index] as number, lengths[index] as number, into, at)
}

function copy(from: Buffer, start: number, length: number, into: Buffer, at: number): number {
  if (length > shortText) from.copy(into, at, start, start + length)
  else for (let index = 0; index < length; index += 1) into[at + index] = from[start + index] as number
  return at + length
}
