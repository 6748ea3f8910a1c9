import type { Bytes } from './concat-bytes.ts'
import { createTextBytes, type TextBytes } from './text-bytes.ts'

const slabBytes = 64 * 1024
/** Larger pieces get their own buffers, so that they and the slabs do not keep each other alive. */
const largestPieceBytes = 16 * 1024
/** Up to this many characters a loop is faster than the platform's encoder; the length, with its framing, fits in one byte. */
const shortText = 120
/** Most bytes of a tag and a length. */
const headerRoom = 16

/**
 * Writes protobuf fields, piece by piece. Small pieces share slabs of memory, since allocating memory costs more than writing it; a slab is
 * freed with the last of its pieces. A tag is the field number times eight plus the wire type.
 */
export class ProtobufWriter {
  readonly #texts: TextBytes
  #buffer: Bytes
  /** Where the current piece begins. */
  #start = 0
  #position = 0
  readonly #doubles = new Float64Array(1)
  readonly #doubleBytes = new Uint8Array(this.#doubles.buffer)

  constructor(texts: TextBytes = createTextBytes()) {
    this.#texts = texts
    this.#buffer = texts.allocate(slabBytes)
  }

  /** Where the current piece is; `rewind` takes it, until the piece is taken. */
  get position(): number {
    return this.#position - this.#start
  }

  /** Discards everything of the current piece after `position`. */
  rewind(position: number): void {
    this.#position = this.#start + position
  }

  /** The bytes written since the last call. They are not modified later. */
  take(): Bytes {
    const length = this.#position - this.#start
    if (length > largestPieceBytes || this.#buffer.length > slabBytes) return this.#takeCopy()
    const piece = new Uint8Array(this.#buffer.buffer, this.#buffer.byteOffset + this.#start, length)
    this.#start = this.#position
    return piece
  }

  #takeCopy(): Bytes {
    const piece = new Uint8Array(this.#position - this.#start)
    piece.set(this.#buffer.subarray(this.#start, this.#position))
    this.#position = this.#start
    if (this.#buffer.length > slabBytes) this.#useNew(slabBytes)
    return piece
  }

  /** A number from 0 to 2^53. */
  varint(tag: number, value: number): void {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    this.#writeVarint(value)
  }

  bigInt64(tag: number, value: bigint): void {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    let rest = BigInt.asUintN(64, value)
    while (rest > 0x7fn) {
      this.#buffer[this.#position++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#buffer[this.#position++] = Number(rest)
  }

  double(tag: number, value: number): void {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    this.#doubles[0] = value
    for (let at = 0; at < 8; at++) this.#buffer[this.#position++] = this.#doubleBytes[at] ?? 0
  }

  fixed32(tag: number, value: number): void {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    this.#writeFixed32(value)
  }

  /** Two halves of a `fixed64`, each from 0 to 2^32 - 1. */
  fixed64(tag: number, low: number, high: number): void {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    this.#writeFixed32(low)
    this.#writeFixed32(high)
  }

  bytes(tag: number, value: Uint8Array): void {
    this.#reserve(value.length + headerRoom)
    this.#writeVarint(tag)
    this.#writeVarint(value.length)
    this.#buffer.set(value, this.#position)
    this.#position += value.length
  }

  /** Bytes given as hexadecimal digits, two for a byte. */
  hex(tag: number, digits: string): void {
    const length = digits.length >> 1
    this.#reserve(length + headerRoom)
    this.#writeVarint(tag)
    this.#writeVarint(length)
    const buffer = this.#buffer
    let position = this.#position
    for (let at = 0; at < 2 * length; at += 2) {
      buffer[position++] = ((digitValues[digits.charCodeAt(at)] ?? 0) << 4) | (digitValues[digits.charCodeAt(at + 1)] ?? 0)
    }
    this.#position = position
  }

  text(tag: number, value: string): void {
    this.#reserve(value.length + headerRoom)
    const start = this.#position
    this.#writeVarint(tag)
    if (value.length <= shortText && this.#writeShortAscii(value)) return
    this.#position = start
    this.#writeText(tag, value, this.#texts.lengthOf(value))
  }

  /**
   * Starts a message of an encoded field and a nested message with a value: the form of all attributes.
   * The field of the value must follow, with exactly the announced number of bytes.
   */
  pair(tags: PairTags, field: Uint8Array, valueBytes: number): void {
    this.#reserve(field.length + 2 * headerRoom)
    this.#writeVarint(tags.pair)
    this.#writeVarint(field.length + 1 + sizeOfVarint(valueBytes) + valueBytes)
    this.#copy(field)
    this.#writeVarint(tags.holder)
    this.#writeVarint(valueBytes)
  }

  /** The same with a text as value. */
  textPair(tags: PairTags, field: Uint8Array, tag: number, value: string): void {
    if (value.length <= shortText) {
      const start = this.position
      this.pair(tags, field, 2 + value.length)
      this.#reserve(value.length + headerRoom)
      this.#writeVarint(tag)
      if (this.#writeShortAscii(value)) return
      this.rewind(start)
    }
    const length = this.#texts.lengthOf(value)
    this.pair(tags, field, sizeOfVarint(tag) + sizeOfVarint(length) + length)
    this.#writeText(tag, value, length)
  }

  /** Starts a message; pass the result to `end`, with the same guess of how many bytes its length will take. */
  begin(tag: number, headerBytes = 1): number {
    this.#reserve(headerRoom)
    this.#writeVarint(tag)
    const begun = this.#position - this.#start
    this.#position += headerBytes
    return begun
  }

  end(begun: number, headerBytes = 1): void {
    this.#reserve(headerRoom)
    const start = this.#start + begun
    const length = this.#position - start - headerBytes
    this.#moveBy(start + headerBytes, length, sizeOfVarint(length) - headerBytes)
    const end = this.#position
    this.#position = start
    this.#writeVarint(length)
    this.#position = end
  }

  /** Space must have been reserved before. */
  #moveBy(from: number, length: number, distance: number): void {
    if (distance === 0) return
    this.#buffer.copyWithin(from + distance, from, from + length)
    this.#position += distance
  }

  /** Space must have been reserved before. */
  #copy(field: Uint8Array): void {
    const buffer = this.#buffer
    const position = this.#position
    for (let at = 0; at < field.length; at++) buffer[position + at] = field[at] ?? 0
    this.#position = position + field.length
  }

  /** Length and text; the output is discarded where the text is not ASCII. Space must have been reserved before. */
  #writeShortAscii(value: string): boolean {
    const { length } = value
    const buffer = this.#buffer
    const start = this.#position + 1
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) return false
      buffer[start + at] = code
    }
    buffer[start - 1] = length
    this.#position = start + length
    return true
  }

  #writeText(tag: number, value: string, length: number): void {
    this.#reserve(length + headerRoom)
    this.#writeVarint(tag)
    this.#writeVarint(length)
    this.#texts.write(value, this.#buffer, this.#position, length)
    this.#position += length
  }

  #writeVarint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.#buffer[this.#position++] = (rest % 0x80) | 0x80
      rest = rest > 0x7fffffff ? Math.floor(rest / 0x80) : rest >>> 7
    }
    this.#buffer[this.#position++] = rest
  }

  #writeFixed32(value: number): void {
    const buffer = this.#buffer
    const position = this.#position
    buffer[position] = value & 0xff
    buffer[position + 1] = (value >>> 8) & 0xff
    buffer[position + 2] = (value >>> 16) & 0xff
    buffer[position + 3] = value >>> 24
    this.#position = position + 4
  }

  /** Continues in a new slab or a larger buffer when the slab is full, and copies the current piece to it. */
  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return
    const written = this.#buffer.subarray(this.#start, this.#position)
    this.#useNew(Math.max(slabBytes, 2 * (written.length + bytes)))
    this.#buffer.set(written)
    this.#position = written.length
  }

  #useNew(length: number): void {
    this.#buffer = this.#texts.allocate(length)
    this.#start = 0
    this.#position = 0
  }
}

/** Tags of a message that holds a field and a message with a value. */
export interface PairTags {
  pair: number
  holder: number
}

/** Bytes that a number from 0 to 2^53 takes as varint. */
export function sizeOfVarint(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  let size = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++
  return size
}

/** Value of each hexadecimal digit by its character code; other characters count as 0. */
const digitValues = new Uint8Array(128)
for (const [value, digit] of [...'0123456789abcdef'].entries()) {
  digitValues[digit.charCodeAt(0)] = value
  digitValues[digit.toUpperCase().charCodeAt(0)] = value
}
