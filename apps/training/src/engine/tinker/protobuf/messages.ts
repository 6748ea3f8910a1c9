import { bytesOf, integerOf, mapOf, MessageWriter, ProtobufError, readFields, readPackedIntegers, textOf } from './wire.ts'

/** One sequence of a training request. The target of each position is the token after it, so all arrays are as long as the tokens. */
export interface Datum {
  tokens: Int32Array
  targets: Int32Array
  /** By name, such as `logprobs` and `advantages`. */
  floats: Readonly<Record<string, Float32Array>>
}

/** A request that updates weights, or only evaluates them (`forward_only`). */
export interface ForwardBackwardRequest {
  modelId: string
  sequenceId: number
  data: readonly Datum[]
  lossFunction: string
  forwardOnly: boolean
}

export interface ForwardBackwardOutput {
  /** Log-probabilities of the targets of each datum. */
  logProbabilities: Float32Array[]
  metrics: Record<string, number>
}

export interface SampleOutput {
  sequences: { stopReason: 'stop' | 'length'; tokens: Int32Array; logProbabilities: Float32Array }[]
  /** Log-probabilities of the prompt; NaN if there is none. Null if they were not requested. */
  promptLogProbabilities: Float32Array | null
}

const float32 = 1
const int64 = 2

export function encodeForwardBackward(request: ForwardBackwardRequest): Uint8Array {
  const writer = new MessageWriter().text(1, request.modelId).integer(2, request.sequenceId)
  for (const datum of request.data) writer.message(3, (message) => writeDatum(message, datum))
  writer.text(4, request.lossFunction)
  if (request.forwardOnly) writer.integer(6, 1)
  return writer.finish()
}

/** How many bytes a datum takes in a request, about. */
export function datumBytes({ tokens, floats }: Datum): number {
  return tokens.length * (4 + 8 + 4 * Object.keys(floats).length) + 100
}

function writeDatum(message: MessageWriter, { tokens, targets, floats }: Datum): void {
  message.message(1, (chunk) => chunk.message(1, (text) => text.bytes(1, toBytes(tokens))))
  writeTensor(message, 'target_tokens', { bytes: toInt64Bytes(targets), dtype: int64, length: targets.length })
  for (const [name, values] of Object.entries(floats))
    writeTensor(message, name, { bytes: toBytes(values), dtype: float32, length: values.length })
}

function writeTensor(
  message: MessageWriter,
  name: string,
  { bytes, dtype, length }: { bytes: Uint8Array; dtype: number; length: number },
): void {
  const tensor = new MessageWriter().bytes(1, bytes).integer(3, dtype).packedIntegers(4, [length]).finish()
  message.message(2, (entry) => entry.text(1, name).bytes(2, tensor))
}

/** @throws ProtobufError */
export function decodeForwardBackward(bytes: Uint8Array): ForwardBackwardRequest {
  const fields = readFields(bytes)
  return {
    modelId: textOf(fields, 1),
    sequenceId: integerOf(fields, 2),
    data: bytesOf(fields, 3).map(readDatum),
    lossFunction: textOf(fields, 4),
    forwardOnly: integerOf(fields, 6) === 1,
  }
}

function readDatum(bytes: Buffer): Datum {
  const fields = readFields(bytes)
  const chunks = bytesOf(fields, 1).flatMap((chunk) => bytesOf(readFields(chunk), 1).flatMap((text) => bytesOf(readFields(text), 1)))
  const tensors = [...mapOf(fields, 2)].map(([name, tensor]) => [name, bytesOf(readFields(tensor), 1)[0] ?? Buffer.alloc(0)] as const)
  const targets = tensors.find(([name]) => name === 'target_tokens')?.[1] ?? Buffer.alloc(0)
  const floats = tensors.filter(([name]) => name !== 'target_tokens').map(([name, data]) => [name, toFloats(data)] as const)
  return { tokens: toIntegers(Buffer.concat(chunks)), targets: fromInt64Bytes(targets), floats: Object.fromEntries(floats) }
}

export function encodeForwardBackwardOutput({ logProbabilities, metrics }: ForwardBackwardOutput): Uint8Array {
  const offsets = [0]
  for (const values of logProbabilities) offsets.push(offsets.at(-1)! + values.byteLength)
  const tensor = new MessageWriter()
    .bytes(1, Buffer.concat(logProbabilities.map(toBytes)))
    .packedIntegers(2, offsets)
    .integer(3, float32)
    .finish()
  const writer = new MessageWriter().text(1, 'loss_fn_outputs').message(2, (record) => {
    record.message(2, (entry) => entry.text(1, 'logprobs').bytes(2, tensor)).integer(3, logProbabilities.length)
  })
  for (const [name, value] of Object.entries(metrics)) writer.message(3, (entry) => entry.text(1, name).double(2, value))
  return writer.finish()
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

export function encodeSampleOutput({ sequences, promptLogProbabilities }: SampleOutput): Uint8Array {
  const writer = new MessageWriter()
  for (const { stopReason, tokens, logProbabilities } of sequences) {
    writer.message(1, (sequence) => {
      if (stopReason === 'length') sequence.integer(1, 1)
      sequence.bytes(2, toBytes(tokens)).bytes(3, toBytes(logProbabilities))
    })
  }
  if (promptLogProbabilities) writer.bytes(2, toBytes(promptLogProbabilities))
  return writer.finish()
}

/** @throws ProtobufError */
export function decodeSampleOutput(bytes: Uint8Array): SampleOutput {
  const fields = readFields(bytes)
  const prompt = bytesOf(fields, 2)[0]
  return {
    sequences: bytesOf(fields, 1).map((sequence) => {
      const parts = readFields(sequence)
      return {
        stopReason: integerOf(parts, 1) === 1 ? 'length' : 'stop',
        tokens: toIntegers(bytesOf(parts, 2)[0] ?? Buffer.alloc(0)),
        logProbabilities: toFloats(bytesOf(parts, 3)[0] ?? Buffer.alloc(0)),
      }
    }),
    promptLogProbabilities: prompt ? toFloats(prompt) : null,
  }
}

function toBytes(values: Int32Array | Float32Array): Uint8Array {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength)
}

function toFloats(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

function toIntegers(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readInt32LE(at * 4))
}

function toInt64Bytes(values: Int32Array): Uint8Array {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [at, value] of values.entries()) bytes.writeBigInt64LE(BigInt(value), at * 8)
  return bytes
}

function fromInt64Bytes(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 8 }, (_, at) => Number(bytes.readBigInt64LE(at * 8)))
}
