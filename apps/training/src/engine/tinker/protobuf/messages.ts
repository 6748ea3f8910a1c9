import type { TokenAlternative } from '../../engine.ts'
import { fillDense, TensorShapes } from '../tensors.ts'
import { bytesOf, type Field, integerOf, mapOf, MessageWriter, ProtobufError, readFields, readPackedIntegers, textOf } from './wire.ts'

/** One sequence of a training request. The target of each position is usually the token after it. All arrays are as long as the tokens, or have `columns` for each. */
export interface Datum {
  tokens: Int32Array
  targets: Int32Array
  /** Targets of each token, row by row. Absent: one. */
  columns?: number
  /** By name, such as `logprobs` and `advantages`. */
  floats: Readonly<Record<string, Float32Array>>
}

/** A request that updates weights, or only evaluates them (`forward_only`). */
export interface ForwardBackwardRequest {
  modelId: string
  sequenceId: number
  data: readonly Datum[]
  lossFunction: string
  /** Settings of the loss by name. Absent: its defaults. */
  lossConfig?: Readonly<Record<string, number | string>>
  forwardOnly: boolean
}

export interface ForwardBackwardOutput {
  /** Log-probabilities of the targets of each datum. */
  logProbabilities: Float32Array[]
  /** How many targets each token of each datum has; undefined for one. Absent: all have one. */
  columns?: readonly (number | undefined)[]
  metrics: Record<string, number>
}

/** The likeliest tokens at each of some positions; fewer than others, or none, at a position where nothing else is known. */
export type TopTokens = readonly (readonly TokenAlternative[])[]

export interface SampledSequence {
  stopReason: 'stop' | 'length'
  tokens: Int32Array
  logProbabilities: Float32Array
  /** At each token. Absent: they were not requested. */
  top?: TopTokens
}

export interface SampleOutput {
  sequences: SampledSequence[]
  /** Log-probabilities of the prompt; NaN if there is none. Null if they were not requested. */
  promptLogProbabilities: Float32Array | null
  /** At each token of the prompt. Absent: they were not requested. */
  promptTop?: TopTokens
}

const float32 = 1
const int64 = 2

export function encodeForwardBackward(request: ForwardBackwardRequest): Uint8Array {
  const writer = new MessageWriter().text(1, request.modelId).integer(2, request.sequenceId)
  for (const datum of request.data) writer.message(3, (message) => writeDatum(message, datum))
  writer.text(4, request.lossFunction)
  if (request.forwardOnly) writer.integer(6, 1)
  for (const [name, value] of Object.entries(request.lossConfig ?? {})) {
    const setting = typeof value === 'number' ? new MessageWriter().double(1, value) : new MessageWriter().text(2, value)
    writer.message(7, (entry) => entry.text(1, name).bytes(2, setting.finish()))
  }
  return writer.finish()
}

/** How many bytes a datum takes in a request, about. */
export function datumBytes({ tokens, floats }: Datum): number {
  return tokens.length * (4 + 8 + 4 * Object.keys(floats).length) + 100
}

function writeDatum(message: MessageWriter, { tokens, targets, floats, columns }: Datum): void {
  const shapeOf = (length: number) => (columns === undefined ? [length] : [length / columns, columns])
  message.message(1, (chunk) => chunk.message(1, (text) => text.bytes(1, toBytes(tokens))))
  writeTensor(message, 'target_tokens', { bytes: toInt64Bytes(targets), dtype: int64, shape: shapeOf(targets.length) })
  for (const [name, values] of Object.entries(floats))
    writeTensor(message, name, { bytes: toBytes(values), dtype: float32, shape: shapeOf(values.length) })
}

function writeTensor(
  message: MessageWriter,
  name: string,
  { bytes, dtype, shape }: { bytes: Uint8Array; dtype: number; shape: readonly number[] },
): void {
  const tensor = new MessageWriter().bytes(1, bytes).integer(3, dtype).packedIntegers(4, shape).finish()
  message.message(2, (entry) => entry.text(1, name).bytes(2, tensor))
}

/** @throws ProtobufError also for inputs that are not text; TensorError */
export function decodeForwardBackward(bytes: Uint8Array): ForwardBackwardRequest {
  const fields = readFields(bytes)
  const shapes = new TensorShapes()
  const lossConfig = readLossConfig(fields)
  return {
    modelId: textOf(fields, 1),
    sequenceId: integerOf(fields, 2),
    data: bytesOf(fields, 3).map((datum) => readDatum(datum, shapes)),
    lossFunction: textOf(fields, 4),
    ...(lossConfig && { lossConfig }),
    forwardOnly: integerOf(fields, 6) === 1,
  }
}

/** Older clients write only the numbers (field 5), newer ones all settings (field 7), and the numbers twice. */
function readLossConfig(fields: readonly Field[]): Record<string, number | string> | undefined {
  const numbers = [...mapOf(fields, 5)].map(([name, value]) => [name, toDouble(value)] as const)
  const settings = [...mapOf(fields, 7)].map(([name, value]) => {
    const parts = readFields(value)
    const [number] = bytesOf(parts, 1)
    return [name, number ? toDouble(number) : textOf(parts, 2)] as const
  })
  return numbers.length + settings.length === 0 ? undefined : Object.fromEntries<number | string>([...numbers, ...settings])
}

const toDouble = (bytes: Buffer) => (bytes.length === 8 ? bytes.readDoubleLE() : 0)

function readDatum(bytes: Buffer, shapes: TensorShapes): Datum {
  const fields = readFields(bytes)
  const chunks = bytesOf(fields, 1).map(readChunk)
  const floats: Record<string, Float32Array> = {}
  const { target_tokens: given, ...others } = Object.fromEntries(mapOf(fields, 2))
  const { values: targets, columns } = readTensor('target_tokens', given, { shapes, toValues: fromInt64Bytes })
  for (const [name, tensor] of Object.entries(others)) {
    const read = readTensor(name, tensor, { shapes, toValues: toFloats })
    if (read.columns !== columns)
      throw new ProtobufError(`${name} has ${read.columns ?? 'no'} columns, and target_tokens ${columns ?? 'none'}`)
    floats[name] = read.values
  }
  return { tokens: toIntegers(Buffer.concat(chunks)), targets, floats, ...(columns !== undefined && { columns }) }
}

const kindsOfChunks: Readonly<Record<number, string>> = { 2: 'image', 3: 'dmel (audio)' }

function readChunk(bytes: Buffer): Buffer {
  const fields = readFields(bytes)
  const other = fields.find(({ number }) => number !== 1)
  if (other) throw new ProtobufError(`model_input has a chunk of ${kindsOfChunks[other.number] ?? 'an unknown kind'}; only text is taken`)
  return Buffer.concat(bytesOf(fields, 1).flatMap((text) => bytesOf(readFields(text), 1)))
}

interface TensorRows<Values> {
  values: Values
  columns: number | undefined
}

/** Its numbers, row by row; none without a tensor. */
function readTensor<Values extends Int32Array | Float32Array>(
  name: string,
  bytes: Buffer | undefined,
  { shapes, toValues }: { shapes: TensorShapes; toValues: (bytes: Buffer) => Values },
): TensorRows<Values> {
  if (!bytes) return { values: toValues(Buffer.alloc(0)), columns: undefined }
  const fields = readFields(bytes)
  const shape = bytesOf(fields, 4).flatMap(readPackedIntegers)
  const [sparse] = bytesOf(fields, 2)
  const columns = shapes.columnsOf(name, shape, sparse !== undefined)
  const isTargets = name === 'target_tokens'
  const expected = isTargets ? int64 : float32
  if (integerOf(fields, 3) !== expected) throw new ProtobufError(`${name} must have the type ${isTargets ? 'int64' : 'float32'}`)
  if (!sparse) return { values: toValues(bytesOf(fields, 1)[0] ?? Buffer.alloc(0)), columns }
  const parts = readFields(sparse)
  const [values, offsets, places] = [1, 2, 3].map((field) => bytesOf(parts, field)[0] ?? Buffer.alloc(0)) as [Buffer, Buffer, Buffer]
  const dense = toValues(Buffer.alloc(shape.reduce((product, size) => product * size, isTargets ? 8 : 4)))
  const rows = { values: toValues(values), offsets: fromInt64Bytes(offsets), columns: fromInt64Bytes(places), shape }
  return { values: fillDense(name, rows, dense), columns }
}

export function encodeForwardBackwardOutput({ logProbabilities, metrics, columns = [] }: ForwardBackwardOutput): Uint8Array {
  const writer = new MessageWriter().text(1, 'ArrayRecord')
  for (let start = 0; start < logProbabilities.length;) {
    const width = columns[start]
    const other = logProbabilities.findIndex((_, at) => at > start && columns[at] !== width)
    const end = other < 0 ? logProbabilities.length : other
    writeRecord(writer, logProbabilities.slice(start, end), width)
    start = end
  }
  for (const [name, value] of Object.entries(metrics)) writer.message(3, (entry) => entry.text(1, name).double(2, value))
  return writer.finish()
}

/** A record of arrays of the same columns. */
function writeRecord(writer: MessageWriter, arrays: readonly Float32Array[], columns: number | undefined): void {
  const offsets = [0]
  for (const values of arrays) offsets.push(offsets.at(-1)! + values.byteLength)
  const tensor = new MessageWriter()
    .bytes(1, Buffer.concat(arrays.map(toBytes)))
    .bytes(2, toInt64Bytes(offsets))
    .integer(3, float32)
  if (columns !== undefined) tensor.packedIntegers(4, [columns])
  writer.message(2, (record) => {
    record.message(2, (entry) => entry.text(1, 'logprobs').bytes(2, tensor.finish())).integer(3, arrays.length)
  })
}

/** @throws ProtobufError */
export function decodeForwardBackwardOutput(bytes: Uint8Array): ForwardBackwardOutput {
  const fields = readFields(bytes)
  const logProbabilities = bytesOf(fields, 2).flatMap((record) => {
    const parts = readFields(record)
    const tensor = mapOf(parts, 2).get('logprobs')
    if (!tensor) throw new ProtobufError('the response has no `logprobs`')
    return readBatched(tensor, integerOf(parts, 3))
  })
  const metrics = [...mapOf(fields, 3)].map(([name, value]) => [name, value.length === 8 ? value.readDoubleLE() : 0] as const)
  return { logProbabilities, metrics: Object.fromEntries(metrics) }
}

/** Arrays one after the other, cut at byte offsets. */
function readBatched(tensor: Buffer, count: number): Float32Array[] {
  const fields = readFields(tensor)
  const data = bytesOf(fields, 1)[0] ?? Buffer.alloc(0)
  const offsets = readOffsets(bytesOf(fields, 2)[0] ?? Buffer.alloc(0), { count, end: data.length })
  return Array.from({ length: count }, (_, at) => toFloats(data.subarray(offsets[at], offsets[at + 1])))
}

/** Servers write them packed, or as eight bytes each. */
function readOffsets(bytes: Buffer, { count, end }: { count: number; end: number }): number[] {
  const isFixed = bytes.length === 8 * (count + 1) && Number(bytes.readBigInt64LE(8 * count)) === end
  const offsets = isFixed ? fromInt64Bytes(bytes) : readPackedIntegers(bytes)
  const isOrdered = Array.from(offsets).every((offset, at) => offset >= (offsets[at - 1] ?? 0) && offset <= end)
  if (offsets.length !== count + 1 || !isOrdered)
    throw new ProtobufError(`${offsets.length} offsets do not cut ${end} bytes into ${count} arrays`)
  return [...offsets]
}

export function encodeSampleOutput({ sequences, promptLogProbabilities, promptTop }: SampleOutput): Uint8Array {
  const writer = new MessageWriter()
  for (const { stopReason, tokens, logProbabilities, top } of sequences) {
    writer.message(1, (sequence) => {
      if (stopReason === 'length') sequence.integer(1, 1)
      sequence.bytes(2, toBytes(tokens)).bytes(3, toBytes(logProbabilities))
      if (top) writeTop(sequence, 4, top)
    })
  }
  if (promptLogProbabilities) writer.bytes(2, toBytes(promptLogProbabilities))
  if (promptTop) writeTop(writer, 3, promptTop)
  return writer.finish()
}

/** Fills the cells of a table beyond the tokens of a row. */
const noToken = { token: 0, logProbability: -99_999 }

/** A table of as many columns as the longest row has. */
function writeTop(writer: MessageWriter, field: number, rows: TopTokens): void {
  const k = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const cells = rows.flatMap((row) => Array.from({ length: k }, (_, rank) => row[rank] ?? noToken))
  const tokens = Int32Array.from(cells, ({ token }) => token)
  const logProbabilities = Float32Array.from(cells, ({ logProbability }) => logProbability)
  writer.message(field, (table) =>
    table.bytes(1, toBytes(tokens)).bytes(2, toBytes(logProbabilities)).integer(3, k).integer(4, rows.length),
  )
}

/** @throws ProtobufError */
export function decodeSampleOutput(bytes: Uint8Array): SampleOutput {
  const fields = readFields(bytes)
  const [prompt] = bytesOf(fields, 2)
  const [promptTop] = bytesOf(fields, 3)
  return {
    sequences: bytesOf(fields, 1).map((sequence) => {
      const parts = readFields(sequence)
      const [top] = bytesOf(parts, 4)
      return {
        stopReason: integerOf(parts, 1) === 1 ? 'length' : 'stop',
        tokens: toIntegers(bytesOf(parts, 2)[0] ?? Buffer.alloc(0)),
        logProbabilities: toFloats(bytesOf(parts, 3)[0] ?? Buffer.alloc(0)),
        ...(top && { top: readTop(top) }),
      }
    }),
    promptLogProbabilities: prompt ? toFloats(prompt) : null,
    ...(promptTop && { promptTop: readTop(promptTop) }),
  }
}

function readTop(bytes: Buffer): TopTokens {
  const fields = readFields(bytes)
  const [tokens, logProbabilities] = [1, 2].map((field) => bytesOf(fields, field)[0] ?? Buffer.alloc(0)) as [Buffer, Buffer]
  const [k, length] = [integerOf(fields, 3), integerOf(fields, 4)]
  const cells = tokens.length / 4
  if (tokens.length !== logProbabilities.length || k * length !== cells || (k === 0 && length > maxEmptyRows))
    throw new ProtobufError(`${cells} tokens are no table of ${length} rows of ${k}`)
  const [ids, values] = [toIntegers(tokens), toFloats(logProbabilities)]
  const cellAt = (at: number) => ({ token: ids[at]!, logProbability: values[at]! })
  return Array.from({ length }, (_, row) =>
    Array.from({ length: k }, (_, rank) => cellAt(row * k + rank)).filter(
      ({ logProbability }) => logProbability !== noToken.logProbability,
    ),
  )
}

/** Rows of a table without columns: their number alone is in the message. */
const maxEmptyRows = 1_000_000

function toBytes(values: Int32Array | Float32Array): Uint8Array {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength)
}

function toFloats(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

function toIntegers(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(at * 4))
}

function toInt64Bytes(values: Int32Array | readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [at, value] of [...values].entries()) bytes.writeBigInt64LE(BigInt(value), at * 8)
  return bytes
}

function fromInt64Bytes(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 8 }, (_, at) => Number(bytes.readBigInt64LE(at * 8)))
}
