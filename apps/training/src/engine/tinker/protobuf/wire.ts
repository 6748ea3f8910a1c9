/** Protocol buffers, as far as the messages here need them (https://protobuf.dev/programming-guides/encoding). */

const varint = 0
const fixed64 = 1
const lengthDelimited = 2
const fixed32 = 5

/** Writes the fields of a message, in the order of the calls. Defaults are the caller's to leave out. */
export class MessageWriter {
  readonly #parts: Uint8Array[] = []

  integer(field: number, value: number): this {
    return this.#add(encodeVarint(field * 8 + varint), encodeVarint(value))
  }

  text(field: number, value: string): this {
    return this.bytes(field, Buffer.from(value))
  }

  double(field: number, value: number): this {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return this.#add(encodeVarint(field * 8 + fixed64), bytes)
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#add(encodeVarint(field * 8 + lengthDelimited), encodeVarint(value.length), value)
  }

  message(field: number, write: (message: MessageWriter) => unknown): this {
    const inner = new MessageWriter()
    write(inner)
    return this.bytes(field, inner.finish())
  }

  packedIntegers(field: number, values: readonly number[]): this {
    return this.bytes(field, Buffer.concat(values.map(encodeVarint)))
  }

  finish(): Uint8Array {
    return Buffer.concat(this.#parts)
  }

  #add(...parts: Uint8Array[]): this {
    this.#parts.push(...parts)
    return this
  }
}

/** A field as encoded in a message. */
export type FieldValue = { kind: 'integer'; value: number } | { kind: 'bytes'; value: Buffer }

export interface Field {
  number: number
  value: FieldValue
}

/** An invalid message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError'
}

/** The fields of a message in their order. Numbers of fixed width are returned as bytes. @throws ProtobufError */
export function readFields(bytes: Uint8Array): Field[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Field[] = []
  let position = 0
  const next = () => {
    const { value, end } = decodeVarint(buffer, position)
    position = end
    return value
  }
  const take = (length: number) => {
    if (position + length > buffer.length)
      throw new ProtobufError(`a field of ${length} bytes does not fit into a message of ${buffer.length}`)
    position += length
    return buffer.subarray(position - length, position)
  }
  while (position < buffer.length) {
    const tag = next()
    const number = Math.floor(tag / 8)
    if (number === 0) throw new ProtobufError('a field has the number 0')
    fields.push({ number, value: readValue(tag % 8, next, take) })
  }
  return fields
}

function readValue(wireType: number, next: () => number, take: (length: number) => Buffer): FieldValue {
  switch (wireType) {
    case varint:
      return { kind: 'integer', value: next() }
    case lengthDelimited:
      return { kind: 'bytes', value: take(next()) }
    case fixed64:
      return { kind: 'bytes', value: take(8) }
    case fixed32:
      return { kind: 'bytes', value: take(4) }
    default:
      throw new ProtobufError(`the wire type ${wireType} is not known`)
  }
}

/** Integers of a packed field. */
export function readPackedIntegers(bytes: Buffer): number[] {
  const values: number[] = []
  for (let position = 0; position < bytes.length;) {
    const { value, end } = decodeVarint(bytes, position)
    values.push(value)
    position = end
  }
  return values
}

/** The bytes of the fields with this number. Fields of another kind are ignored, like unknown ones. */
export function bytesOf(fields: readonly Field[], number: number): Buffer[] {
  return fields.flatMap((field) => (field.number === number && field.value.kind === 'bytes' ? [field.value.value] : []))
}

/** The last integer with this number; 0 if there is none, since messages omit zeros. */
export function integerOf(fields: readonly Field[], number: number): number {
  return fields.reduce((found, field) => (field.number === number && field.value.kind === 'integer' ? field.value.value : found), 0)
}

export function textOf(fields: readonly Field[], number: number): string {
  return bytesOf(fields, number).at(-1)?.toString('utf8') ?? ''
}

/** The entries of a map with texts as keys. */
export function mapOf(fields: readonly Field[], number: number): Map<string, Buffer> {
  const entries = bytesOf(fields, number).map((entry) => {
    const parts = readFields(entry)
    return [textOf(parts, 1), bytesOf(parts, 2).at(-1) ?? Buffer.alloc(0)] as const
  })
  return new Map(entries)
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
  return Uint8Array.from(bytes)
}

function decodeVarint(bytes: Buffer, from: number): { value: number; end: number } {
  let value = 0
  let factor = 1
  for (let at = from; at < from + 10; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new ProtobufError('a message ends within an integer')
    value += (byte % 128) * factor
    if (byte < 128) return { value, end: at + 1 }
    factor *= 128
  }
  throw new ProtobufError('an integer has more than ten bytes')
}
