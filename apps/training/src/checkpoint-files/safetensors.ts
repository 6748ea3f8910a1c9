import { closeSync, fstatSync, fsync, fsyncSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { bytesPerElement, type FloatFormat, isFloatFormat, toFloats } from './float-formats.ts'
import { ModelFileError } from './model-file-error.ts'
import { openModelFile, readBytes } from './model-file.ts'
import { encodeNumbers } from './number-formats.ts'
import type { TensorFile } from './tensor-file.ts'

/** Bytes of a header that are read: about 30,000 tensors. The format itself allows 100 MB. */
const maxHeaderBytes = 4 * 2 ** 20

const syncFile = promisify(fsync)

interface TensorEntry {
  dtype: string
  shape: readonly number[]
  data_offsets: readonly [number, number]
}

/** Opens a safetensors file (https://github.com/huggingface/safetensors, format). @throws ModelFileError if the file is missing or cannot be opened, the header is damaged, or the file is shorter than its header claims */
export function openSafetensors(path: string): TensorFile {
  const file = openModelFile(path)
  try {
    const { entries, dataStart } = readHeader(path, file)
    const find = (name: string) => entries.get(name)
    const get = (name: string) => {
      const entry = find(name)
      if (!entry) throw new ModelFileError('damaged', `${path} has no tensor "${name}"`)
      return entry
    }
    const readRowBytes = (name: string, format: FloatFormat, from: number, to: number) => {
      const { shape, data_offsets: offsets } = get(name)
      const rowBytes = bytesPerElement[format] * shape.slice(1).reduce((product, size) => product * size, 1)
      return readBytes(path, file, dataStart + offsets[0] + from * rowBytes, (to - from) * rowBytes)
    }
    return {
      names: [...entries.keys()],
      findShape: (name) => find(name)?.shape,
      read(name) {
        const entry = get(name)
        return { shape: entry.shape, data: readTensor({ path, file, name, entry, dataStart }) }
      },
      readRows(name, from, to) {
        const format = formatOf({ path, name, dtype: get(name).dtype })
        return toFloats(readRowBytes(name, format, from, to), format)
      },
      readBfloat16Rows(name, from, to) {
        const { dtype } = get(name)
        if (dtype !== 'BF16') throw new ModelFileError('unsupported', `tensor "${name}" of ${path} is in ${dtype}, not in BF16`)
        const bytes = readRowBytes(name, dtype, from, to)
        return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
      },
      describe(name) {
        const { shape, dtype } = get(name)
        return { shape, format: formatOf({ path, name, dtype }) }
      },
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    if (error instanceof ModelFileError) throw error
    throw new ModelFileError('damaged', `${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function readHeader(path: string, file: number): { entries: ReadonlyMap<string, TensorEntry>; dataStart: number } {
  const size = fstatSync(file).size
  const length = size < 8 ? -1 : Number(readBytes(path, file, 0, 8).readBigUInt64LE())
  if (length > maxHeaderBytes && length <= size - 8)
    throw new ModelFileError('unsupported', `the header of ${path} has ${length} bytes; at most ${maxHeaderBytes} are read`)
  if (length < 2 || length > size - 8) {
    throw new ModelFileError('damaged', `${path} is not a safetensors file: its header would have ${length} bytes in a file of ${size}`)
  }
  const dataStart = 8 + length
  const header = parseHeader(path, readBytes(path, file, 8, length).toString('utf8'))
  for (const [name, entry] of header) checkEntry({ path, name, entry, dataBytes: size - dataStart })
  return { entries: header, dataStart }
}

function parseHeader(path: string, text: string): Map<string, TensorEntry> {
  try {
    const { __metadata__: _metadata, ...tensors } = JSON.parse(text) as Record<string, TensorEntry>
    return new Map(Object.entries(tensors))
  } catch (error) {
    throw new ModelFileError('damaged', `the header of ${path} is not JSON`, { cause: error })
  }
}

function checkEntry({ path, name, entry, dataBytes }: { path: string; name: string; entry: TensorEntry; dataBytes: number }): void {
  const [from, to] = Array.isArray(entry?.data_offsets) ? entry.data_offsets : [-1, -1]
  const isShape = Array.isArray(entry?.shape) && entry.shape.every((size) => Number.isSafeInteger(size) && size >= 0)
  if (!isShape || typeof entry.dtype !== 'string' || !(from >= 0 && from <= to)) {
    throw new ModelFileError('damaged', `the header of ${path} describes tensor "${name}" wrongly`)
  }
  if (to > dataBytes) throw new ModelFileError('damaged', `${path} ends before its tensor "${name}": ${dataBytes} of ${to} bytes are there`)
  const elements = entry.shape.reduce((product, size) => product * size, 1)
  if (isFloatFormat(entry.dtype) && to - from !== elements * bytesPerElement[entry.dtype]) {
    throw new ModelFileError('damaged', `tensor "${name}" of ${path} has ${to - from} bytes for ${elements} numbers in ${entry.dtype}`)
  }
}

interface TensorPlace {
  path: string
  file: number
  name: string
  entry: TensorEntry
  dataStart: number
}

function formatOf({ path, name, dtype }: { path: string; name: string; dtype: string }): FloatFormat {
  if (isFloatFormat(dtype)) return dtype
  throw new ModelFileError('unsupported', `tensor "${name}" of ${path} is in ${dtype}; F32, BF16 and F16 are read`)
}

function readTensor({ path, file, name, entry, dataStart }: TensorPlace): Float32Array {
  const format = formatOf({ path, name, dtype: entry.dtype })
  const [from, to] = entry.data_offsets
  return toFloats(readBytes(path, file, dataStart + from, to - from), format)
}

/** A tensor that is created when it is written, so that not all are in memory at the same time. */
export interface TensorSource {
  name: string
  shape: readonly number[]
  read(): Float32Array
}

/** Writes a safetensors file and syncs it. Tensors are ordered by name, so equal tensors make equal files. @throws when the file exists */
export function writeSafetensors(path: string, tensors: readonly TensorSource[], format: FloatFormat = 'F32'): void {
  const ordered = tensors.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const file = openSync(path, 'wx', 0o600)
  try {
    writeAll(file, encodeSafetensorsHeader(ordered.map(({ name, shape }) => ({ name, shape, format }))))
    for (const tensor of ordered) {
      writeAll(file, encodeNumbers(tensor.read(), format))
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A tensor that is created in parts as it is written. */
export interface PartedTensorSource {
  name: string
  shape: readonly number[]
  /** Its numbers in order. */
  parts(): Iterable<Float32Array>
}

/** As `writeSafetensors` in F32. Yields after each part, and at the end a promise of the sync. */
export function* writeSafetensorsInParts(path: string, tensors: readonly PartedTensorSource[]): Generator<void | Promise<void>, void> {
  const ordered = tensors.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const file = openSync(path, 'wx', 0o600)
  try {
    writeAll(file, encodeSafetensorsHeader(ordered.map(({ name, shape }) => ({ name, shape, format: 'F32' }))))
    for (const tensor of ordered) {
      for (const part of tensor.parts()) {
        writeAll(file, encodeNumbers(part, 'F32'))
        yield
      }
    }
    // It takes seconds on a slow disk, in which the thread is free.
    yield syncFile(file)
  } finally {
    closeSync(file)
  }
}

/** Everything before the first tensor. Tensors follow in this order. */
export function encodeSafetensorsHeader(tensors: readonly { name: string; shape: readonly number[]; format: FloatFormat }[]): Buffer {
  let end = 0
  const entries = tensors.map(({ name, shape, format }) => {
    const from = end
    end += bytesPerElement[format] * shape.reduce((product, size) => product * size, 1)
    return [name, { dtype: format, shape, data_offsets: [from, end] }] as const
  })
  const text = JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(entries) })
  const length = Math.ceil(Buffer.byteLength(text) / 8) * 8
  const header = Buffer.alloc(8 + length, ' ')
  header.writeBigUInt64LE(BigInt(length))
  header.write(text, 8)
  return header
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done)
}
