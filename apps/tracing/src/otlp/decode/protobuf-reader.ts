import { isUtf8 } from 'node:buffer'
import { DecodeError } from './decode-error.ts'
import { KeyInterner } from './key-interner.ts'
import { SentJson } from '../json-value.ts'
import { opensJson } from './parse-attribute-text.ts'
import { PlainJsonScanner } from './plain-json-scanner.ts'

/** Reads protobuf primitives from a buffer, in order. No read exceeds `limit`, the end of the current message. */
export class ProtobufReader {
  position = 0
  /** Texts in which invalid UTF-8 was replaced by U+FFFD. */
  replacedTexts = 0
  #limit: number
  readonly #bytes: Buffer
  readonly #keys = new KeyInterner()
  readonly #scanner: PlainJsonScanner

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#limit = bytes.byteLength
    this.#scanner = new PlainJsonScanner(this.#bytes, this.#keys)
  }

  get size(): number {
    return this.#bytes.length
  }

  /** True until the message that is being read has ended. */
  get hasMore(): boolean {
    return this.position < this.#limit
  }

  /** Enters a length-delimited message: reads end with it until `leave` is given the answer. */
  enter(): number {
    const length = this.readLength()
    const outer = this.#limit
    this.#limit = this.position + length
    return outer
  }

  /** Ends the message that `enter` began. */
  leave(outer: number): void {
    this.#limit = outer
  }

  fail(what: string): never {
    throw new DecodeError('malformed', `${what} at byte ${this.position} of the export request`)
  }

  /** Number and wire type of the next field, as `number * 8 + type`. */
  readTag(): number {
    const tag = this.readVarint()
    if (tag > 0xffffffff || tag < 8) this.fail('invalid field tag')
    return tag
  }

  /** An unsigned integer; beyond 2^53 its low bits are lost. */
  readVarint(): number {
    const bytes = this.#bytes
    const limit = this.#limit
    let position = this.position
    let factor = 1
    let value = 0
    for (let count = 0; count < 10; count += 1) {
      if (position >= limit) this.fail('truncated integer')
      const byte = bytes[position] as number
      position += 1
      value += (byte & 0x7f) * factor
      if (byte < 0x80) {
        this.position = position
        return value
      }
      factor *= 128
    }
    return this.fail('integer of more than ten bytes')
  }

  /** A signed 64-bit integer: a number where that is exact. */
  readInt64(): number | bigint {
    const start = this.position
    const value = this.readVarint()
    if (value <= Number.MAX_SAFE_INTEGER) return value
    let exact = 0n
    for (let index = this.position - 1; index >= start; index -= 1) exact = (exact << 7n) | BigInt((this.#bytes[index] as number) & 0x7f)
    return BigInt.asIntN(64, exact)
  }

  /** The number of an enumeration; -1 for those outside of 0 to 2^31-1. */
  readEnum(): number {
    const value = this.readVarint()
    return value <= 0x7fffffff ? value : -1
  }

  readFixed64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8))
  }

  readFixed32(): number {
    return this.#bytes.readUInt32LE(this.#take(4))
  }

  readDouble(): number {
    return this.#bytes.readDoubleLE(this.#take(8))
  }

  /** Bytes as lower-case hex. */
  readHex(): string {
    const length = this.readLength()
    return this.#bytes.toString('hex', this.position, (this.position += length))
  }

  readBase64(): string {
    const length = this.readLength()
    return this.#bytes.toString('base64', this.position, (this.position += length))
  }

  readText(): string {
    const length = this.readLength()
    const start = this.position
    this.position += length
    return this.#text(start, start + length)
  }

  /** A text that is likely to be repeated, such as a key: repeated ones share one string. */
  readKey(): string {
    const length = this.readLength()
    const start = this.position
    const end = start + length
    this.position = end
    return this.#keys.intern(this.#bytes, start, end)?.text ?? this.#text(start, end)
  }

  /** The text of an attribute: JSON that needs no change is kept as sent. Its bytes are not copied. */
  readAttributeText(): string | SentJson {
    const length = this.readLength()
    const start = this.position
    const end = start + length
    this.position = end
    const strings = length > 0 && opensJson(this.#bytes[start] as number) ? this.#scanner.scan(start, end) : undefined
    return strings === undefined ? this.#text(start, end) : new SentJson(this.#bytes.subarray(start, end), strings)
  }

  /** Passes over the value of an unknown field. */
  skip(tag: number): void {
    const type = tag & 7
    if (type === 0) this.readVarint()
    else if (type === 1) this.#take(8)
    else if (type === 2) this.#take(this.readLength())
    else if (type === 5) this.#take(4)
    else this.fail(`unsupported wire type ${type}`)
  }

  /** The length of the following field, which is complete. */
  readLength(): number {
    const length = this.readVarint()
    if (length > this.#limit - this.position) this.fail(`a length of ${length} bytes, more than are left,`)
    return length
  }

  #take(count: number): number {
    const start = this.position
    if (count > this.#limit - start) this.fail('truncated number')
    this.position = start + count
    return start
  }

  #text(start: number, end: number): string {
    if (end === start) return ''
    const text = this.#bytes.toString('utf8', start, end)
    if (text.includes('\ufffd') && !isUtf8(this.#bytes.subarray(start, end))) this.replacedTexts += 1
    return text
  }
}
