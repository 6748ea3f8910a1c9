const smallestBufferBytes = 64 * 1024
const largestKeptBytes = 1024 * 1024
/** Below this many characters a loop is faster than the encoder of the platform. */
const shortText = 48

/** Writes protobuf fields into one buffer that grows and is used again. A tag is the field number times eight plus the wire type. */
export class ProtobufWriter {
  #buffer = new Uint8Array(smallestBufferBytes)
  #position = 0
  readonly #doubles = new Float64Array(1)
  readonly #doubleBytes = new Uint8Array(this.#doubles.buffer)
  readonly #encoder = new TextEncoder()

  /** Bytes written so far; `rewind` takes it. */
  get position(): number {
    return this.#position
  }

  /** Forgets everything written after `position`. */
  rewind(position: number): void {
    this.#position = position
  }

  /** A copy of what was written, after which the writer is empty. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#buffer.slice(0, this.#position)
    this.#position = 0
    if (this.#buffer.length > largestKeptBytes) this.#buffer = new Uint8Array(smallestBufferBytes)
    return bytes
  }

  /** A number from 0 to 2^53. */
  varint(tag: number, value: number): void {
    this.#reserve(16)
    this.#writeVarint(tag)
    this.#writeVarint(value)
  }

  /** An `int64`, negative ones included, of an integer that a number holds exactly. */
  int64(tag: number, value: number): void {
    if (value >= 0) this.varint(tag, value)
    else this.bigInt64(tag, BigInt(value))
  }

  bigInt64(tag: number, value: bigint): void {
    this.#reserve(16)
    this.#writeVarint(tag)
    let rest = BigInt.asUintN(64, value)
    while (rest > 0x7fn) {
      this.#buffer[this.#position++] = Number(rest & 0x7fn) | 0x80
      rest >>= 7n
    }
    this.#buffer[this.#position++] = Number(rest)
  }

  double(tag: number, value: number): void {
    this.#reserve(16)
    this.#writeVarint(tag)
    this.#doubles[0] = value
    this.#buffer.set(this.#doubleBytes, this.#position)
    this.#position += 8
  }

  fixed32(tag: number, value: number): void {
    this.#reserve(16)
    this.#writeVarint(tag)
    this.#writeFixed32(value)
  }

  /** Two halves of a `fixed64`, each from 0 to 2^32 - 1. */
  fixed64(tag: number, low: number, high: number): void {
    this.#reserve(16)
    this.#writeVarint(tag)
    this.#writeFixed32(low)
    this.#writeFixed32(high)
  }

  bytes(tag: number, value: Uint8Array): void {
    this.#reserve(value.length + 16)
    this.#writeVarint(tag)
    this.#writeVarint(value.length)
    this.#buffer.set(value, this.#position)
    this.#position += value.length
  }

  /** Bytes given as hexadecimal digits, two for a byte. */
  hex(tag: number, digits: string): void {
    const length = digits.length >> 1
    this.#reserve(length + 16)
    this.#writeVarint(tag)
    this.#writeVarint(length)
    for (let at = 0; at < length; at++) {
      this.#buffer[this.#position++] = (digitOf(digits.charCodeAt(2 * at)) << 4) | digitOf(digits.charCodeAt(2 * at + 1))
    }
  }

  text(tag: number, value: string): void {
    this.#reserve(value.length + 16)
    this.#writeVarint(tag)
    if (value.length >= shortText || !this.#writeShortAscii(value)) this.#writeLongText(value)
  }

  /**
   * A message of a text and, in a message of its own, another: the form of nearly all attributes.
   * The long text is written once, at the place it has when it is ASCII.
   */
  textPair(tags: { pair: number; key: number; holder: number; value: number }, key: string, value: string): void {
    const start = this.begin(tags.pair)
    this.text(tags.key, key)
    const holder = this.#position
    const guess = 2 + sizeOfVarint(value.length) + sizeOfVarint(value.length + 1 + sizeOfVarint(value.length))
    this.#reserve(value.length + 32)
    this.#position += guess
    const length = this.#writeText(value)
    const inner = 1 + sizeOfVarint(length) + length
    this.#moveBy(holder + guess, length, 2 + sizeOfVarint(length) + sizeOfVarint(inner) - guess)
    const end = this.#position
    this.#position = holder
    this.#writeVarint(tags.holder)
    this.#writeVarint(inner)
    this.#writeVarint(tags.value)
    this.#writeVarint(length)
    this.#position = end
    this.end(start)
  }

  /** Starts a message; give what this returns to `end`. */
  begin(tag: number): number {
    this.#reserve(16)
    this.#writeVarint(tag)
    return this.#position++
  }

  end(start: number): void {
    const length = this.#position - start - 1
    this.#reserve(16)
    this.#moveBy(start + 1, length, sizeOfVarint(length) - 1)
    const end = this.#position
    this.#position = start
    this.#writeVarint(length)
    this.#position = end
  }

  #moveBy(from: number, length: number, distance: number): void {
    if (distance === 0) return
    this.#reserve(16)
    this.#buffer.copyWithin(from + distance, from, from + length)
    this.#position += distance
  }

  #writeShortAscii(value: string): boolean {
    const { length } = value
    const start = this.#position + 1
    for (let at = 0; at < length; at++) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) return false
      this.#buffer[start + at] = code
    }
    this.#buffer[this.#position] = length
    this.#position = start + length
    return true
  }

  #writeLongText(value: string): void {
    const start = this.#position
    const guess = sizeOfVarint(value.length)
    this.#position += guess
    const length = this.#writeText(value)
    this.#moveBy(start + guess, length, sizeOfVarint(length) - guess)
    const end = this.#position
    this.#position = start
    this.#writeVarint(length)
    this.#position = end
  }

  /** Writes UTF-8 without a length and returns the number of bytes. Half a surrogate pair becomes U+FFFD. */
  #writeText(value: string): number {
    const start = this.#position
    this.#reserve(value.length + (value.length >> 2) + 16)
    let read = this.#encodePart(value)
    while (read < value.length) {
      this.#reserve(3 * (value.length - read) + 16)
      read += this.#encodePart(value.slice(read))
    }
    return this.#position - start
  }

  #encodePart(value: string): number {
    const { read, written } = this.#encoder.encodeInto(value, this.#buffer.subarray(this.#position))
    this.#position += written
    return read
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
    this.#buffer[this.#position++] = value & 0xff
    this.#buffer[this.#position++] = (value >>> 8) & 0xff
    this.#buffer[this.#position++] = (value >>> 16) & 0xff
    this.#buffer[this.#position++] = value >>> 24
  }

  #reserve(bytes: number): void {
    const needed = this.#position + bytes
    if (needed <= this.#buffer.length) return
    const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2))
    larger.set(this.#buffer.subarray(0, this.#position))
    this.#buffer = larger
  }
}

/** Bytes that a number from 0 to 2^53 takes as varint. */
export function sizeOfVarint(value: number): number {
  let size = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 0x80)) size++
  return size
}

/** Value of a hexadecimal digit; what is none counts as 0. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 0
}
