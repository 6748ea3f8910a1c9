import { blockNumbers, encodedBytes, encodeNumbers, type NumberFormat } from '../checkpoint-files/number-formats.ts'
import type { MergedWeights } from './merged-weights.ts'

/** A file of an export, made while it is sent. */
export interface ExportedFile {
  name: string
  sizeBytes: number
  /** Its bytes, in parts of about a megabyte. */
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export function textFile(name: string, text: string): ExportedFile {
  const bytes = Buffer.from(text)
  return { name, sizeBytes: bytes.length, content: () => [bytes] }
}

/** A tensor as it is written. */
export interface WrittenTensor {
  /** In the Hugging Face layout. */
  name: string
  shape: readonly number[]
  format: NumberFormat
}

/** Numbers that are in memory at the same time, but one row at least. */
const numbersAtOnce = 2 ** 18

export const tensorBytes = ({ shape, format }: WrittenTensor): number =>
  encodedBytes(
    format,
    shape.reduce((product, size) => product * size, 1),
  )

/** @param groupRows rows that are read together @param arrange changes their numbers before they are encoded */
export function* encodeTensor(
  weights: MergedWeights,
  { name, shape, format }: WrittenTensor,
  { groupRows = 1, arrange = (numbers) => numbers }: { groupRows?: number; arrange?: (numbers: Float32Array) => Float32Array } = {},
): Generator<Uint8Array> {
  const [rows, columns] = [shape[0]!, shape[1] ?? 1]
  const groups = Math.max(1, Math.floor(numbersAtOnce / (columns * groupRows)))
  const step = groups * groupRows
  for (let from = 0; from < rows; from += step) {
    const numbers = weights.readRows(name, shape, { from, to: Math.min(rows, from + step) })
    yield encodeNumbers(arrange(numbers), format)
  }
}

/** The format, or F16 where rows do not divide into its blocks. */
export const formatOfRows = (format: NumberFormat, columns: number): NumberFormat => (columns % blockNumbers(format) === 0 ? format : 'F16')
