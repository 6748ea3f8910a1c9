import { fstatSync } from 'node:fs'
import { readBytes } from '../model-file.ts'
import { ModelFileError } from '../model-file-error.ts'
import { defaultAlignment, ggufMagic, ggufVersion, valueTypes } from './gguf-format.ts'

/** A value of the metadata; of a list its length alone is kept. */
export type GgufValue = number | string | boolean | { length: number }

export interface GgufTensorEntry {
  name: string
  /** As in the Hugging Face layout: the outermost dimension first. */
  shape: readonly number[]
  /** Number of the format. */
  type: number
  /** From the beginning of the file. */
  position: number
}

export interface GgufHeader {
  values: ReadonlyMap<string, GgufValue>
  tensors: readonly GgufTensorEntry[]
  fileBytes: number
}

/** A vocabulary of 260,000 tokens with its merges has about 12 MiB. */
const maxHeaderBytes = 64 * 2 ** 20
const maxTextBytes = 2 ** 20
const maxNameBytes = 1_024
const maxEntries = 10_000
const maxTensors = 100_000
const maxDimensions = 4
const maxAlignment = 4_096
const windowBytes = 2 ** 16

/** @throws ModelFileError for anything but a sound header of version 3; counts and lengths are checked before what they count is read */
export function readGgufHeader(path: string, file: number): GgufHeader {
  const fileBytes = fstatSync(file).size
  const cursor = new Cursor(path, file, fileBytes)
  if (fileBytes < 24 || cursor.u32() !== ggufMagic) throw damaged(path, 'is not a GGUF file')
  const version = cursor.u32()
  if (version !== ggufVersion)
    throw new ModelFileError('unsupported', `${path} is of GGUF version ${version}; version ${ggufVersion} is read`)
  const tensorCount = cursor.count('tensors', maxTensors)
  const entryCount = cursor.count('entries', maxEntries)
  const values = new Map<string, GgufValue>()
  for (let i = 0; i < entryCount; i++) {
    const key = cursor.text(maxNameBytes)
    if (values.has(key)) throw damaged(path, `has the key ${shown(key)} twice`)
    values.set(key, readValue(cursor, key))
  }
  const tensors = Array.from({ length: tensorCount }, () => readTensor(cursor))
  return { values, tensors: placeTensors(path, { tensors, values, headerBytes: cursor.position, fileBytes }), fileBytes }
}

export const damaged = (path: string, what: string) => new ModelFileError('damaged', `${path} ${what}`)
const shown = (text: string) => JSON.stringify(text.slice(0, 200))

const { list, text, bool } = valueTypes
/** Bytes of the types of numbers. */
const sizes: ReadonlyMap<number, number> = new Map([
  ...([valueTypes.u8, valueTypes.i8, bool] as const).map((type) => [type, 1] as const),
  ...([valueTypes.u16, valueTypes.i16] as const).map((type) => [type, 2] as const),
  ...([valueTypes.u32, valueTypes.i32, valueTypes.f32] as const).map((type) => [type, 4] as const),
  ...([valueTypes.u64, valueTypes.i64, valueTypes.f64] as const).map((type) => [type, 8] as const),
])

function readValue(cursor: Cursor, key: string): GgufValue {
  const type = cursor.u32()
  if (type === text) return cursor.text(maxTextBytes)
  if (type === list) return { length: skipList(cursor, key) }
  const size = sizes.get(type)
  if (size === undefined) throw cursor.damaged(`has a value of the unknown type ${type} under ${shown(key)}`)
  return toNumber(cursor.take(size), type)
}

function toNumber(bytes: Buffer, type: number): number | boolean {
  switch (type) {
    case bool:
      return bytes.readUInt8() === 1
    case valueTypes.f32:
      return bytes.readFloatLE()
    case valueTypes.f64:
      return bytes.readDoubleLE()
    case valueTypes.u64:
      return Number(bytes.readBigUInt64LE())
    case valueTypes.i64:
      return Number(bytes.readBigInt64LE())
    case valueTypes.i8:
    case valueTypes.i16:
    case valueTypes.i32:
      return bytes.readIntLE(0, bytes.length)
    default:
      return bytes.readUIntLE(0, bytes.length)
  }
}

/** Lists are not needed: the tokenizer comes from tokenizer.json. */
function skipList(cursor: Cursor, key: string): number {
  const type = cursor.u32()
  const size = sizes.get(type)
  if (size === undefined && type !== text) throw cursor.damaged(`has a list of the type ${type} under ${shown(key)}`)
  // A text has at least its length.
  const length = cursor.count(`values under ${shown(key)}`, Math.floor(cursor.left() / (size ?? 8)))
  if (size !== undefined) cursor.skip(length * size)
  else for (let i = 0; i < length; i++) cursor.skip(cursor.count('bytes', maxTextBytes))
  return length
}

interface FoundTensor {
  name: string
  shape: readonly number[]
  type: number
  offset: number
}

function readTensor(cursor: Cursor): FoundTensor {
  const name = cursor.text(maxNameBytes)
  const dimensions = cursor.u32()
  if (dimensions < 1 || dimensions > maxDimensions) throw cursor.damaged(`describes tensor ${shown(name)} with ${dimensions} dimensions`)
  const shape = Array.from({ length: dimensions }, () =>
    cursor.count(`numbers in tensor ${shown(name)}`, Number.MAX_SAFE_INTEGER),
  ).toReversed()
  return { name, shape, type: cursor.u32(), offset: cursor.count(`bytes before tensor ${shown(name)}`, Number.MAX_SAFE_INTEGER) }
}

interface TensorPlacement {
  tensors: readonly FoundTensor[]
  values: ReadonlyMap<string, GgufValue>
  headerBytes: number
  fileBytes: number
}

function placeTensors(path: string, { tensors, values, headerBytes, fileBytes }: TensorPlacement): GgufTensorEntry[] {
  const alignment = values.get('general.alignment') ?? defaultAlignment
  if (typeof alignment !== 'number' || alignment < 8 || alignment > maxAlignment || alignment % 8 > 0)
    throw damaged(path, `has the alignment ${String(alignment)}; it must be a multiple of 8, at most ${maxAlignment}`)
  const start = Math.ceil(headerBytes / alignment) * alignment
  const names = new Set<string>()
  return tensors.map(({ name, shape, type, offset }) => {
    if (names.has(name)) throw damaged(path, `has two tensors ${shown(name)}`)
    names.add(name)
    if (offset % alignment > 0)
      throw damaged(path, `has tensor ${shown(name)} at byte ${offset} of its data, which is not a multiple of ${alignment}`)
    if (start + offset > fileBytes) throw damaged(path, `ends before its tensor ${shown(name)}`)
    return { name, shape, type, position: start + offset }
  })
}

/** Reads the header from its beginning, a window at a time. */
class Cursor {
  position = 0
  readonly #path: string
  readonly #file: number
  readonly #end: number
  #window: Buffer = Buffer.alloc(0)
  #windowStart = 0

  constructor(path: string, file: number, fileBytes: number) {
    this.#path = path
    this.#file = file
    this.#end = Math.min(fileBytes, maxHeaderBytes)
  }

  left(): number {
    return this.#end - this.position
  }

  damaged(what: string): ModelFileError {
    return damaged(this.#path, what)
  }

  take(length: number): Buffer {
    this.#assertLeft(length)
    const from = this.position - this.#windowStart
    if (from < 0 || from + length > this.#window.length) return this.#load(length)
    this.position += length
    return this.#window.subarray(from, from + length)
  }

  skip(length: number): void {
    this.#assertLeft(length)
    this.position += length
  }

  u32(): number {
    return this.take(4).readUInt32LE()
  }

  /** A 64-bit number of things, at most `max`. */
  count(what: string, max: number): number {
    const value = this.take(8).readBigUInt64LE()
    if (value > BigInt(max)) throw this.damaged(`would have ${value} ${what}; at most ${max} fit`)
    return Number(value)
  }

  text(maxBytes: number): string {
    return this.take(this.count('bytes in a text', maxBytes)).toString('utf8')
  }

  #load(length: number): Buffer {
    this.#window = readBytes(this.#path, this.#file, this.position, Math.min(Math.max(length, windowBytes), this.left()))
    this.#windowStart = this.position
    this.position += length
    return this.#window.subarray(0, length)
  }

  #assertLeft(length: number): void {
    if (length > this.left()) throw this.damaged(`is not a GGUF file: its header does not end within ${this.#end} bytes`)
  }
}
