const slabBytes = 64 * 1024
/** What is larger gets memory of its own, so that it holds no slab in memory and no slab holds it. */
const largestPieceBytes = 16 * 1024
/** Below this many characters a loop is faster than the encoder of the platform; their number fits in one byte. */
const shortText = 120

/**
 * Writes protobuf fields, piece by piece. Small pieces share slabs of memory, since making memory costs more than writing it; a slab is
 * freed with the last of its pieces. A tag is the field number times eight plus the wire type.
 */
export class ProtobufWriter {
  #buffer = new Uint8Array(slabBytes)
  /** Where the current piece begins. */
  #start = 0
  #position = 0
  readonly #doubles = new Float64Array(1)
  readonly #doubleBytes = new Uint8Array(this.#doubles.buffer)
  readonly #encoder = new TextEncoder()

  /** Where the current piece is; `rewind` takes it, until the piece is taken. */
  get position(): number {
    return this.#position - this.#start
  }

  /** Forgets everything of the current piece that was written after `position`. */
  rewind(position: number): void {
    this.#position = this.#start + position
  }

  /** What was written since the last time. It stays as it is. */
  take(): Uint8Array<ArrayBuffer> {
    const length = this.#position - this.#start
    if (length > largestPieceBytes || this.#buffer.length > slabBytes) return this.#takeCopy()
    const piece = this.#buffer.subarray(this.#start, this.#position)
    this.#start = this.#position
    return piece
  }

  #takeCopy(): Uint8Array<ArrayBuffer> {
    const piece = this.#buffer.slice(this.#start, this.#position)
    this.#position = this.#start
    if (this.#buffer.length > slabBytes) this.#useNew(slabBytes)
    return piece
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
    const headerBytes = sizeOfVarint(value.length + key.length + 8)
    const start = this.begin(tags.pair, headerBytes)
    this.text(tags.key, key)
    const holderOffset = this.#position - this.#start
    const guess = 2 + sizeOfVarint(value.length) + sizeOfVarint(value.length + 1 + sizeOfVarint(value.length))
    this.#reserve(value.length + 32)
    this.#position += guess
    const length = this.#writeText(value)
    const inner = 1 + sizeOfVarint(length) + length
    this.#reserve(16)
    const holder = this.#start + holderOffset
    this.#moveBy(holder + guess, length, 2 + sizeOfVarint(length) + sizeOfVarint(inner) - guess)
    const end = this.#position
    this.#position = holder
    this.#writeVarint(tags.holder)
    this.#writeVarint(inner)
    this.#writeVarint(tags.value)
    this.#writeVarint(length)
    this.#position = end
    this.end(start, headerBytes)
  }

  /** Starts a message; give what this returns to `end`, with the same guess of how many bytes its length will take. */
  begin(tag: number, headerBytes = 1): number {
    this.#reserve(16)
    this.#writeVarint(tag)
    const begun = this.#position - this.#start
    this.#position += headerBytes
    return begun
  }

  end(begun: number, headerBytes = 1): void {
    this.#reserve(16)
    const start = this.#start + begun
    const length = this.#position - start - headerBytes
    this.#moveBy(start + headerBytes, length, sizeOfVarint(length) - headerBytes)
    const end = this.#position
    this.#position = start
    this.#writeVarint(length)
    this.#position = end
  }

  /** Room must have been made before. */
  #moveBy(from: number, length: number, distance: number): void {
    if (distance === 0) return
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
    const offset = this.#position - this.#start
    const guess = sizeOfVarint(value.length)
    this.#position += guess
    const length = this.#writeText(value)
    this.#reserve(16)
    const start = this.#start + offset
    this.#moveBy(start + guess, length, sizeOfVarint(length) - guess)
    const end = this.#position
    this.#position = start
    this.#writeVarint(length)
    this.#position = end
  }

  /** Writes UTF-8 without a length and returns the number of bytes. Half a surrogate pair becomes U+FFFD. */
  #writeText(value: string): number {
    this.#reserve(value.length + (value.length >> 2) + 16)
    const offset = this.#position - this.#start
    let read = this.#encodePart(value)
    while (read < value.length) {
      this.#reserve(3 * (value.length - read) + 16)
      read += this.#encodePart(value.slice(read))
    }
    return this.#position - this.#start - offset
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

  /** Goes on in a new slab, or in something larger, where there is no room; what is written of the current piece comes along. */
  #reserve(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return
    const written = this.#buffer.subarray(this.#start, this.#position)
    this.#useNew(Math.max(slabBytes, 2 * (written.length + bytes)))
    this.#buffer.set(written)
    this.#position = written.length
  }

  #useNew(length: number): void {
    this.#buffer = new Uint8Array(length)
    this.#start = 0
    this.#position = 0
  }
}

/** Bytes that a number from 0 to 2^53 takes as varint. */
export function sizeOfVarint(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
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
