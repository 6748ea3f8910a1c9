import { type GgufEntry, dataBytes, encodeGgufHeader, type GgufTensorInfo, paddingAfter } from '../checkpoint-files/gguf/encode-gguf.ts'
import { architectureOf, assertGgufCan, toArchitectureValues } from '../checkpoint-files/gguf/gguf-architecture.ts'
import { fileTypes } from '../checkpoint-files/gguf/gguf-format.ts'
import { type GgufName, listGgufNames, reorderHeads } from '../checkpoint-files/gguf/gguf-tensors.ts'
import { rotaryFactors, rotaryFactorsName } from '../checkpoint-files/gguf/rotary-factors.ts'
import type { NumberFormat } from '../checkpoint-files/number-formats.ts'
import { encodeTensor, type ExportedFile, formatOfRows, tensorBytes } from './exported-file.ts'
import type { MergedWeights } from './merged-weights.ts'

export interface GgufOptions {
  fileName: string
  /** Name of the model, as programs show it. */
  title: string
  /** Format of the matrices; vectors are in F32. */
  format: NumberFormat
  /** Metadata about the tokenizer. */
  tokenizer: readonly GgufEntry[]
}

/** The model with its tokenizer as llama.cpp loads it. @throws ModelFileError naming what llama.cpp does not compute */
export function ggufFile(weights: MergedWeights, { fileName, title, format, tokenizer }: GgufOptions): ExportedFile {
  const { config } = weights
  assertGgufCan(config)
  const factors = config.ropeScaling && rotaryFactors(config, config.ropeScaling)
  const tensors = listGgufNames(config).map((tensor) => {
    const { shape } = tensor
    return { ...tensor, format: shape.length === 1 ? ('F32' as const) : formatOfRows(format, shape[1]!) }
  })
  const infos: GgufTensorInfo[] = [
    ...(factors ? [{ name: rotaryFactorsName, shape: [factors.length], format: 'F32' as const }] : []),
    ...tensors.map((tensor) => ({ name: tensor.gguf, shape: tensor.shape, format: tensor.format })),
  ]
  const { name } = architectureOf(config)
  const entries: GgufEntry[] = [
    ['general.architecture', 'text', name],
    ['general.type', 'text', 'model'],
    ['general.name', 'text', title],
    ['general.file_type', 'u32', fileTypes[format]],
    ['general.quantization_version', 'u32', 2],
    ...toArchitectureValues(config).map(([key, type, value]) => [`${name}.${key}`, type, value] as const),
    ...tokenizer,
  ]
  const header = encodeGgufHeader(entries, infos)
  return {
    name: fileName,
    sizeBytes: header.length + dataBytes(infos),
    *content() {
      yield header
      if (factors) yield* padded([new Uint8Array(factors.buffer)], factors.byteLength)
      for (const tensor of tensors) yield* padded(encodeTensor(weights, tensor, arrangement(tensor)), tensorBytes(tensor))
    },
  }
}

function arrangement({ shape, interleaved }: GgufName) {
  if (interleaved === 0) return {}
  const heads = { headRows: interleaved, columns: shape[1] ?? 1 }
  return { groupRows: interleaved, arrange: (numbers: Float32Array) => reorderHeads(numbers, 'interleave', heads) }
}

function* padded(parts: Iterable<Uint8Array>, bytes: number): Generator<Uint8Array> {
  yield* parts
  const padding = paddingAfter(bytes)
  if (padding > 0) yield new Uint8Array(padding)
}
