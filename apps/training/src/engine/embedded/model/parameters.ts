import { bytesPerElement } from '../../../checkpoint-files/float-formats.ts'
import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import { hasBias, linearNames, linearShape, tensorNames, type LinearName } from '../../../checkpoint-files/model-tensors.ts'
import type { AdapterSettings } from '../../engine.ts'
import type { Address } from '../kernels/kernels.ts'

/**
 * Weights at one address: a matrix (inner, columns) in packed panels, (columns / panelWidth, inner, panelWidth), padded with zeros to multiples of 8;
 * or a vector, with `columns` 0. Padding remains zero in training: its gradients are zero.
 */
export interface Parameter {
  /** Name of its tensor in files. */
  name: string
  /** The shape in files: [out, in] of a linear layer, [vocabulary, width] of an embedding. Panels hold the transpose. */
  shape: readonly number[]
  /** Rows of the matrix, or length of the vector; padded. */
  inner: number
  /** Columns of the matrix, padded; 0 for a vector. */
  columns: number
  /** Number of elements, with the padding. */
  length: number
  /** Format in memory; BF16 only for a matrix that is not trained. */
  format: MatrixFormat
  address: Address
  /** Offset of its gradient in a gradient buffer, in bytes; -1 when it is not trained. */
  gradientOffset: number
  /** Address of its transpose in packed panels, which the backward pass needs; 0 if there is none. */
  transposed: Address
}

export interface LinearLayer {
  weight: Parameter
  /** Added to the output; null without one. */
  bias: Parameter | null
  /** LoRA (Hu et al. 2021): adds adapterFactor (x A) B to the output; null without one. */
  adapter: { a: Parameter; b: Parameter } | null
}

export interface LayerParameters {
  attentionNorm: Parameter
  /** Norms of each head's query and key; null in most families. */
  queryNorm: Parameter | null
  keyNorm: Parameter | null
  /** Whether queries and keys are rotated by their positions. */
  isRotated: boolean
  feedForwardNorm: Parameter
  linears: Record<LinearName, LinearLayer>
}

/** The weights of a model and their addresses. Plain data, so that it can be sent to other threads. */
export interface ModelParameters {
  config: ModelConfig
  /** alpha / rank; 0 without adapters. */
  adapterFactor: number
  embedding: Parameter
  /** The output projection; the same object as `embedding` when they are tied. */
  head: Parameter
  finalNorm: Parameter
  layers: readonly LayerParameters[]
  /** Tables of the rotary positions (RoPE, Su et al. 2021). */
  cosines: Address // (contextLength, headWidth / 2)
  sines: Address // (contextLength, headWidth / 2)
}

/** Format of a matrix in memory. */
export type MatrixFormat = 'F32' | 'BF16'

/** Columns of a packed panel: the floats of two 128-bit vectors. */
export const panelWidth = 8
/** Rounds up to a whole number of panels. */
export const padded = (size: number): number => Math.ceil(size / panelWidth) * panelWidth

function vector(name: string, length: number): Parameter {
  return { name, shape: [length], inner: length, columns: 0, length, format: 'F32', address: 0, gradientOffset: -1, transposed: 0 }
}

/** A matrix that files hold as [out, in]. */
function matrixIn(format: MatrixFormat, { name, out, into }: { name: string; out: number; into: number }): Parameter {
  const inner = padded(into)
  const columns = padded(out)
  return { name, shape: [out, into], inner, columns, length: inner * columns, format, address: 0, gradientOffset: -1, transposed: 0 }
}

/** Declares the parameters of a model, without addresses. @param format of its matrices */
export function layOutModel(config: ModelConfig, format: MatrixFormat): ModelParameters {
  const matrix = (name: string, out: number, into: number) => matrixIn(format, { name, out, into })
  const embedding = matrix(tensorNames.embedding, config.vocabularySize, config.width)
  return {
    config,
    adapterFactor: 0,
    embedding,
    head: config.tiedEmbeddings ? embedding : matrix(tensorNames.head, config.vocabularySize, config.width),
    finalNorm: vector(tensorNames.finalNorm, config.width),
    layers: Array.from({ length: config.layers }, (_, layer) => ({
      attentionNorm: vector(tensorNames.attentionNorm(layer), config.width),
      queryNorm: config.queryKeyNorm ? vector(tensorNames.queryNorm(layer), config.headWidth) : null,
      keyNorm: config.queryKeyNorm ? vector(tensorNames.keyNorm(layer), config.headWidth) : null,
      isRotated: !config.unrotatedLayers.includes(layer),
      feedForwardNorm: vector(tensorNames.feedForwardNorm(layer), config.width),
      linears: forLinears((name) => {
        const [into, out] = linearShape(config, name)
        const bias = hasBias(config, name) ? vector(tensorNames.bias(layer, name), out) : null
        return { weight: matrix(tensorNames.linear(layer, name), out, into), bias, adapter: null }
      }),
    })),
    cosines: 0,
    sines: 0,
  }
}

/** The same weights with new adapters of some or all linear layers, without addresses. */
export function layOutAdapter(model: ModelParameters, { rank, alpha, modules = linearNames }: AdapterSettings): ModelParameters {
  const { config } = model
  const layers = model.layers.map((layer, index) => ({
    ...layer,
    linears: forLinears((name) => {
      if (!modules.includes(name)) return { ...layer.linears[name], adapter: null }
      const [into, out] = linearShape(config, name)
      const a = matrixIn('F32', { name: tensorNames.adapter(index, name, 'lora_A'), out: rank, into })
      const b = matrixIn('F32', { name: tensorNames.adapter(index, name, 'lora_B'), out, into: rank })
      return { ...layer.linears[name], adapter: { a, b } }
    }),
  }))
  return { ...model, adapterFactor: alpha / rank, layers }
}

function forLinears<T>(make: (name: LinearName) => T): Record<LinearName, T> {
  return Object.fromEntries(linearNames.map((name) => [name, make(name)])) as Record<LinearName, T>
}

/** Weights of the model without adapters, in the order of the computation; tied ones once. */
export function listBaseParameters(model: ModelParameters): Parameter[] {
  const layers = model.layers.flatMap(({ attentionNorm, queryNorm, keyNorm, feedForwardNorm, linears }) => [
    attentionNorm,
    ...withoutNull([queryNorm, keyNorm]),
    feedForwardNorm,
    ...linearNames.flatMap((name) => withoutNull([linears[name].weight, linears[name].bias])),
  ])
  const head = model.head === model.embedding ? [] : [model.head]
  return [model.embedding, ...layers, model.finalNorm, ...head]
}

const withoutNull = (parameters: readonly (Parameter | null)[]) => parameters.filter((parameter) => parameter !== null)

export function listAdapterParameters(model: ModelParameters): Parameter[] {
  return model.layers.flatMap(({ linears }) =>
    linearNames.flatMap((name) => {
      const { adapter } = linears[name]
      return adapter ? [adapter.a, adapter.b] : []
    }),
  )
}

/** Rank of the adapters, padded; 0 without any. */
export function rankOf({ layers }: Pick<ModelParameters, 'layers'>): number {
  return Math.max(0, ...linearNames.map((name) => layers[0]?.linears[name].adapter?.a.columns ?? 0))
}

/** Whether training changes the output projection: with adapters it is frozen. */
export function trainsHead(model: Pick<ModelParameters, 'layers'>): boolean {
  return rankOf(model) === 0
}

/** Bytes of parameters, one after the other, each aligned to 64 bytes. */
export function bytesOf(parameters: readonly Parameter[]): number {
  return parameters.reduce((sum, parameter) => sum + bytesOfOne(parameter), 0)
}

function bytesOfOne({ length, format }: Parameter): number {
  return alignBytes(length * bytesPerElement[format])
}

/** Bytes of a buffer of 32-bit floats, aligned to 64 bytes. */
export function bytesOfFloats(count: number): number {
  return alignBytes(count * bytesPerElement.F32)
}

function alignBytes(bytes: number): number {
  return Math.ceil(bytes / 64) * 64
}

/** Assigns addresses from `start` on; takes the bytes that `bytesOf` counts. */
export function placeParameters(parameters: readonly Parameter[], start: Address): void {
  let next = start
  for (const parameter of parameters) {
    parameter.address = next
    next += bytesOfOne(parameter)
  }
}
