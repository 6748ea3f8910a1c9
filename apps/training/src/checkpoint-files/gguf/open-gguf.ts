import { closeSync } from 'node:fs'
import type { ModelConfig } from '../model-config.ts'
import { openModelFile, readBytes } from '../model-file.ts'
import { ModelFileError } from '../model-file-error.ts'
import { blockNumbers, encodedBytes } from '../number-formats.ts'
import type { TensorFile } from '../tensor-file.ts'
import { readGgufConfig } from './gguf-config.ts'
import type { GgufTensorFormat } from './gguf-format.ts'
import { decodeNumbers, findFormat, nameOfType, readFormats } from './gguf-numbers.ts'
import { type GgufName, listGgufNames, reorderHeads } from './gguf-tensors.ts'
import { damaged, type GgufTensorEntry, readGgufHeader } from './read-gguf-header.ts'
import { rotaryFactorsName } from './rotary-factors.ts'

/** A model in the GGUF format (https://github.com/ggml-org/ggml, docs/gguf.md). Its tensors have their names in the Hugging Face layout, and their rows its order. */
export interface GgufFile extends TensorFile {
  readonly config: ModelConfig
}

interface Reading {
  path: string
  file: number
}

/** @throws ModelFileError for a file that is damaged, and for a model that is not supported, naming the key */
export function openGguf(path: string): GgufFile {
  const file = openModelFile(path)
  try {
    return describe({ path, file })
  } catch (error) {
    closeSync(file)
    if (error instanceof ModelFileError) throw error
    throw new ModelFileError('damaged', `${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}

function describe(reading: Reading): GgufFile {
  const { path, file } = reading
  const { values, tensors, fileBytes } = readGgufHeader(path, file)
  assertPlaces(path, tensors, fileBytes)
  const entries = new Map(tensors.map((entry) => [entry.name, entry]))
  const read = (entry: GgufTensorEntry) => readRows(reading, entry, { from: 0, to: entry.shape[0]! })
  const shapes = new Map(tensors.map(({ name, shape }) => [name, shape]))
  const config = readGgufConfig({ path, values, shapes, read: (name) => read(entries.get(name)!) })
  const names = new Map(listGgufNames(config).map((each) => [each.gguf, each]))
  const known = new Map(
    [...entries].flatMap(([name, entry]) => (name === rotaryFactorsName ? [] : [[names.get(name)?.name ?? name, entry]])),
  )
  const get = (name: string) => known.get(name) ?? fail(path, `has no tensor "${name}"`)
  /** Some rows in the order of the Hugging Face layout. */
  function readOrdered<T extends Float32Array | Uint16Array>(entry: GgufTensorEntry, { from, to }: Rows, readWhole: (rows: Rows) => T): T {
    const name = names.get(entry.name)
    const rows = wholeHeads(name, { from, to })
    const numbers = inOrder(readWhole(rows), name, rows)
    const columns = numbersIn(entry.shape.slice(1))
    return numbers.subarray((from - rows.from) * columns, (to - rows.from) * columns) as T
  }
  return {
    config,
    names: [...known.keys()],
    findShape: (name) => known.get(name)?.shape,
    read(name) {
      const entry = get(name)
      return { shape: entry.shape, data: inOrder(read(entry), names.get(entry.name), { from: 0, to: entry.shape[0]! }) }
    },
    readRows(name, from, to) {
      const entry = get(name)
      return readOrdered(entry, { from, to }, (rows) => readRows(reading, entry, rows))
    },
    readBfloat16Rows(name, from, to) {
      const entry = get(name)
      if (formatOf(path, entry) !== 'BF16')
        throw new ModelFileError('unsupported', `tensor "${name}" of ${path} is in ${nameOfType(entry.type)}, not in BF16`)
      return readOrdered(entry, { from, to }, (rows) => {
        const bytes = readRowBytes(reading, entry, rows)
        return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
      })
    },
    describe(name) {
      const entry = get(name)
      const format = formatOf(path, entry)
      return { shape: entry.shape, format: format === 'Q8_0' ? 'F32' : format }
    },
    close: () => closeSync(file),
  }
}

interface Rows {
  from: number
  to: number
}

/** The rows of the heads that these belong to. */
function wholeHeads(name: GgufName | undefined, { from, to }: Rows): Rows {
  const rows = name?.interleaved || 1
  return { from: Math.floor(from / rows) * rows, to: Math.ceil(to / rows) * rows }
}

function inOrder<T extends Float32Array | Uint16Array>(numbers: T, name: GgufName | undefined, { from, to }: Rows): T {
  if (!name || name.interleaved === 0) return numbers
  return reorderHeads(numbers, 'split', { headRows: name.interleaved, columns: numbers.length / (to - from) })
}

function readRows(reading: Reading, entry: GgufTensorEntry, rows: Rows): Float32Array {
  return decodeNumbers(readRowBytes(reading, entry, rows), formatOf(reading.path, entry))
}

function readRowBytes({ path, file }: Reading, entry: GgufTensorEntry, { from, to }: Rows): Buffer {
  const format = formatOf(path, entry)
  const columns = numbersIn(entry.shape.slice(1))
  return readBytes(path, file, entry.position + encodedBytes(format, from * columns), encodedBytes(format, (to - from) * columns))
}

const numbersIn = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1)

function formatOf(path: string, { name, type }: GgufTensorEntry): GgufTensorFormat {
  const format = findFormat(type)
  if (format) return format
  throw new ModelFileError('unsupported', `tensor "${name}" of ${path} is in ${nameOfType(type)}; ${readFormats.join(', ')} are read`)
}

function fail(path: string, what: string): never {
  throw damaged(path, what)
}

/** Asserts that the tensors of supported formats lie within the file and do not overlap. @throws ModelFileError */
function assertPlaces(path: string, tensors: readonly GgufTensorEntry[], fileBytes: number): void {
  let end = 0
  let before = ''
  for (const entry of tensors.toSorted((a, b) => a.position - b.position)) {
    const name = JSON.stringify(entry.name)
    if (entry.position < end) fail(path, `has tensor ${name} within tensor ${before}`)
    const format = findFormat(entry.type)
    // What cannot be read has no known size, and is refused when it is requested.
    if (!format) continue
    const count = numbersIn(entry.shape)
    if (!Number.isSafeInteger(count) || entry.shape.at(-1)! % blockNumbers(format) > 0)
      fail(path, `describes tensor ${name} wrongly: [${entry.shape.join(', ')}] in ${format}`)
    end = entry.position + encodedBytes(format, count)
    before = name
    if (end > fileBytes) fail(path, `ends before its tensor ${name}: ${fileBytes} of ${end} bytes are there`)
  }
}
