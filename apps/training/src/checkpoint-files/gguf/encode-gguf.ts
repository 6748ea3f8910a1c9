import { encodedBytes } from '../number-formats.ts'
import { defaultAlignment, ggufMagic, type GgufTensorFormat, ggufVersion, tensorTypes, valueTypes } from './gguf-format.ts'

/** A key of the metadata with its value. */
export type GgufEntry =
  | readonly [key: string, type: 'u32' | 'i32' | 'f32', value: number]
  | readonly [key: string, type: 'bool', value: boolean]
  | readonly [key: string, type: 'text', value: string]
  | readonly [key: string, type: 'texts', value: readonly string[]]
  | readonly [key: string, type: 'i32s', value: readonly number[]]

/** A tensor as the header of a file describes it. */
export interface GgufTensorInfo {
  name: string
  /** As in the Hugging Face layout: [out, in]. */
  shape: readonly number[]
  format: GgufTensorFormat
}

const sizeOf = ({ shape, format }: GgufTensorInfo) =>
  encodedBytes(
    format,
    shape.reduce((product, size) => product * size, 1),
  )

/** Bytes after a tensor, to where the next may begin. */
export const paddingAfter = (bytes: number): number => (defaultAlignment - (bytes % defaultAlignment)) % defaultAlignment

/** Bytes of the tensors, each with its padding. */
export const dataBytes = (tensors: readonly GgufTensorInfo[]): number =>
  tensors.map(sizeOf).reduce((sum, bytes) => sum + bytes + paddingAfter(bytes), 0)

/** Everything before the first tensor. Tensors follow in this order, each padded. */
export function encodeGgufHeader(entries: readonly GgufEntry[], tensors: readonly GgufTensorInfo[]): Buffer {
  const parts = [u32(ggufMagic), u32(ggufVersion), u64(tensors.length), u64(entries.length), ...entries.map(encodeEntry)]
  let offset = 0
  for (const tensor of tensors) {
    const { name, shape, format } = tensor
    parts.push(text(name), u32(shape.length), ...shape.toReversed().map(u64), u32(tensorTypes[format]), u64(offset))
    const bytes = sizeOf(tensor)
    offset += bytes + paddingAfter(bytes)
  }
  const head = Buffer.concat(parts)
  return Buffer.concat([head, Buffer.alloc(paddingAfter(head.length))])
}

function encodeEntry([key, type, value]: GgufEntry): Buffer {
  const typed = (name: keyof typeof valueTypes, ...bytes: Buffer[]) => Buffer.concat([text(key), u32(valueTypes[name]), ...bytes])
  const list = (name: keyof typeof valueTypes, values: readonly Buffer[]) =>
    typed('list', u32(valueTypes[name]), u64(values.length), ...values)
  switch (type) {
    case 'u32':
      return typed(type, u32(value))
    case 'i32':
      return typed(type, i32(value))
    case 'f32':
      return typed(type, f32(value))
    case 'bool':
      return typed(type, Buffer.from([value ? 1 : 0]))
    case 'text':
      return typed(type, text(value))
    case 'texts':
      return list('text', value.map(text))
    case 'i32s':
      return list('i32', value.map(i32))
  }
}

function sized(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

const u32 = (value: number) => sized(4, (bytes) => bytes.writeUInt32LE(value))
const i32 = (value: number) => sized(4, (bytes) => bytes.writeInt32LE(value))
const f32 = (value: number) => sized(4, (bytes) => bytes.writeFloatLE(value))
const u64 = (value: number) => sized(8, (bytes) => bytes.writeBigUInt64LE(BigInt(value)))

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
