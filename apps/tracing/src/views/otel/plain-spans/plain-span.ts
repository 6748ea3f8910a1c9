import { KeyInterner } from '../../../otlp/decode/key-interner.ts'
import { PlainJsonScanner } from '../../../otlp/decode/plain-json-scanner.ts'
import { mayHoldRef } from '../../../payload/collect-refs.ts'
import { textClasses, textClassOf } from './text-class.ts'

export const maxAttributes = 64
const maxKeyBytes = 200
const maxNameBytes = 128
const maxSignatureBytes = 6_000
const two32 = 4294967296
const listOpening = 0x5b
/** Sums of two remain exact. */
const maxInteger = 2 ** 50
/** Nanoseconds of the last year whose microseconds are exact. */
const maxTimeHigh = 2_090_000_000

/** Codes of values other than the classes of texts. */
export const valueCodes = { zero: 16, integer: 17, double: 18, false: 19, true: 20 } as const

/** Attributes whose very value decides how a span becomes a call. */
const decidingKeys: readonly Uint8Array[] = [Buffer.from('ai.operationId'), Buffer.from('llm.request.type')]

/**
 * One span of a protobuf export request, read without creating objects: only offsets of its parts in the request. Only plain spans are read: texts of
 * a class, integers from 0, usual doubles, booleans; no events, links or other fields.
 */
export class PlainSpan {
  readonly bytes: Buffer
  /** Where the message of the span begins and ends. */
  start = 0
  end = 0
  traceId = 0
  id = 0
  /** -1 without a parent. */
  parentId = -1
  name = 0
  nameLength = 0
  kind = 0
  startTime = 0
  endTime = 0
  statusCode = 0
  message = 0
  messageLength = 0
  /** The class of the text of the status. */
  messageCode: number = textClasses.empty
  count = 0
  readonly keys = new Int32Array(maxAttributes)
  readonly keyLengths = new Int32Array(maxAttributes)
  /** The class of a text, or a value code. */
  readonly codes = new Uint8Array(maxAttributes)
  readonly values = new Int32Array(maxAttributes)
  readonly valueLengths = new Int32Array(maxAttributes)
  readonly numbers = new Float64Array(maxAttributes)
  readonly #signature = Buffer.alloc(maxSignatureBytes)
  /** Of JSON in the texts. */
  #scanner: PlainJsonScanner | undefined
  #at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Reads the span whose message is `bytes[start, end)`. False for any that is not plain, or is not a span: nothing is known of it then. */
  read(start: number, end: number): boolean {
    this.start = start
    this.end = end
    this.#at = start
    this.traceId = this.id = this.name = this.startTime = this.endTime = -1
    this.parentId = -1
    this.nameLength = this.kind = this.statusCode = this.messageLength = this.count = 0
    this.messageCode = textClasses.empty
    while (this.#at < end) if (!this.#field(end)) return false
    return this.#at === end && this.traceId >= 0 && this.id >= 0 && this.name >= 0 && this.startTime >= 0 && this.endTime >= 0
  }

  /** Equal for spans that are mapped the same way. Undefined for one that is too long. */
  signature(): string | undefined {
    const into = this.#signature
    let at = 0
    into[at++] = this.kind
    into[at++] = this.statusCode
    into[at++] = this.parentId < 0 ? 0 : 1
    into[at++] = this.messageCode
    into[at++] = this.nameLength
    at = this.#copy(this.name, this.nameLength, at)
    for (let index = 0; index < this.count; index += 1) {
      const keyLength = this.keyLengths[index] as number
      if (at + keyLength + 4 + maxKeyBytes > maxSignatureBytes) return undefined
      into[at++] = this.codes[index] as number
      into[at++] = keyLength
      at = this.#copy(this.keys[index] as number, keyLength, at)
      if (!this.isDeciding(index)) continue
      const length = this.valueLengths[index] as number
      if (this.codes[index] !== textClasses.short) return undefined
      into[at++] = length
      at = this.#copy(this.values[index] as number, length, at)
    }
    return into.toString('latin1', 0, at)
  }

  /** True where the value of the attribute is part of the signature. */
  isDeciding(index: number): boolean {
    const length = this.keyLengths[index] as number
    return decidingKeys.some((key) => key.length === length && isAt(key, this.bytes, this.keys[index] as number))
  }

  #copy(from: number, length: number, to: number): number {
    const { bytes } = this
    for (let index = 0; index < length; index += 1) this.#signature[to + index] = bytes[from + index] as number
    return to + length
  }

  #field(end: number): boolean {
    switch (this.bytes[this.#at++]) {
      case 10: // trace_id
        return (this.traceId = this.#id(16, end)) >= 0
      case 18: // span_id
        return (this.id = this.#id(8, end)) >= 0
      case 26: // trace_state, empty
        return this.#length(end) === 0
      case 34: // parent_span_id
        return (this.parentId = this.#id(8, end)) >= 0
      case 42: // name
        return this.#readName(end)
      case 48: // kind
        return this.#at < end && (this.kind = this.bytes[this.#at++] as number) < 128
      case 57: // start_time_unix_nano
        return (this.startTime = this.#time(end)) >= 0
      case 65: // end_time_unix_nano
        return (this.endTime = this.#time(end)) >= 0
      case 74: // attributes
        return this.#attribute(end)
      case 122: // status
        return this.#status(end)
      case 80: // dropped_attributes_count, of which nothing is kept, as of the two after it
      case 96: // dropped_events_count
      case 112: // dropped_links_count
        return this.#varint(end) >= 0
      case 133: // flags, of which nothing is kept; the second byte of a tag of two
        return this.bytes[this.#at++] === 1 && (this.#at += 4) <= end
      default:
        return false
    }
  }

  /** An id that is not all zero, or -1. */
  #id(size: number, end: number): number {
    const { bytes } = this
    const start = this.#at + 1
    if (bytes[this.#at] !== size || start + size > end) return -1
    this.#at = start + size
    for (let at = start; at < this.#at; at += 1) if (bytes[at] !== 0) return start
    return -1
  }

  #readName(end: number): boolean {
    const length = this.#length(end)
    if (length < 0 || length > maxNameBytes || !isPlainAscii(this.bytes, this.#at, length)) return false
    this.name = this.#at
    this.nameLength = length
    this.#at += length
    return true
  }

  /** Offset of a time that is set and whose microseconds are exact, or -1. */
  #time(end: number): number {
    const at = this.#at
    if (at + 8 > end) return -1
    this.#at = at + 8
    const high = this.bytes.readUInt32LE(at + 4)
    return high > 0 && high < maxTimeHigh ? at : -1
  }

  #status(end: number): boolean {
    const length = this.#length(end)
    if (length < 0) return false
    const last = this.#at + length
    while (this.#at < last) {
      const tag = this.bytes[this.#at++]
      if (tag === 24) {
        this.statusCode = this.bytes[this.#at++] as number
        if (this.statusCode > 127) return false
      } else if (tag === 18) {
        this.messageLength = this.#length(last)
        if (this.messageLength < 0) return false
        this.message = this.#at
        this.#at += this.messageLength
        this.messageCode = textClassOf(this.bytes, this.message, this.messageLength)
        if (this.messageCode === textClasses.other) return false
      } else return false
    }
    return this.#at === last
  }

  #attribute(end: number): boolean {
    const { bytes, count } = this
    const last = this.#length(end) + this.#at
    if (last < this.#at || count === maxAttributes || bytes[this.#at++] !== 10) return false
    const keyLength = this.#length(last)
    if (keyLength < 0 || keyLength > maxKeyBytes || !isPlainAscii(bytes, this.#at, keyLength)) return false
    this.keys[count] = this.#at
    this.keyLengths[count] = keyLength
    this.#at += keyLength
    if (this.#at >= last || bytes[this.#at++] !== 18) return false
    const valueEnd = this.#length(last) + this.#at
    if (valueEnd !== last || !this.#value(count, valueEnd)) return false
    this.count = count + 1
    return this.#at === last
  }

  #value(index: number, end: number): boolean {
    if (this.#at >= end) return false
    switch (this.bytes[this.#at++]) {
      case 10: // string_value
        return this.#text(index, end)
      case 16: // bool_value
        return this.#boolean(index, end)
      case 24: // int_value
        return this.#integer(index, end)
      case 33: // double_value
        return this.#double(index, end)
      default:
        return false
    }
  }

  #text(index: number, end: number): boolean {
    const length = this.#length(end)
    if (length < 0) return false
    const isList = this.bytes[this.#at] === listOpening && length > 0
    const code = isList ? this.#listClass(length) : textClassOf(this.bytes, this.#at, length)
    this.codes[index] = code
    this.values[index] = this.#at
    this.valueLengths[index] = length
    this.#at += length
    return code !== textClasses.other
  }

  #listClass(length: number): number {
    this.#scanner ??= new PlainJsonScanner(this.bytes, new KeyInterner())
    const strings = this.#scanner.scan(this.#at, this.#at + length)
    if (strings === undefined || strings.haveNumberedEscapes) return textClasses.other
    const mayHoldRefs = strings.mayHoldRefs && mayHoldRef(this.bytes.subarray(this.#at, this.#at + length))
    return mayHoldRefs ? textClasses.other : textClasses.list
  }

  #boolean(index: number, end: number): boolean {
    const value = this.bytes[this.#at++] as number
    this.codes[index] = value === 0 ? valueCodes.false : valueCodes.true
    return value < 2 && this.#at === end
  }

  #integer(index: number, end: number): boolean {
    const value = this.#varint(end)
    this.codes[index] = value === 0 ? valueCodes.zero : valueCodes.integer
    this.numbers[index] = value
    return value >= 0 && value < maxInteger
  }

  #double(index: number, end: number): boolean {
    if (this.#at + 8 > end) return false
    const value = this.bytes.readDoubleLE(this.#at)
    this.#at += 8
    this.codes[index] = valueCodes.double
    this.numbers[index] = value
    // Zero counts as absent, and for other values it is uncertain how the engine writes them (`number-text.ts`).
    const size = Math.abs(value)
    return size >= 1e-5 && size < 1e15
  }

  /** The length of a complete field, or -1. */
  #length(end: number): number {
    const length = this.#varint(end)
    return length <= end - this.#at ? length : -1
  }

  /** An unsigned integer, or -1 where it is not whole or beyond 2^56. */
  #varint(end: number): number {
    let value = 0
    for (let factor = 1; factor < two32 * two32 && this.#at < end; factor *= 128) {
      const byte = this.bytes[this.#at++] as number
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    return -1
  }
}

function isPlainAscii(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = start, end = start + length; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte < 0x20 || byte > 0x7e) return false
  }
  return true
}

function isAt(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < key.length; index += 1) if (bytes[start + index] !== key[index]) return false
  return true
}
