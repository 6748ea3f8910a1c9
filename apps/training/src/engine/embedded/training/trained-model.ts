import { fromBfloat16 } from '../../../checkpoint-files/float-formats.ts'
import type { AdapterSettings } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { initialiseAdapter } from '../model/initialise.ts'
import { allocateAdapter, allocateModel, modelBytes } from '../model/model-weights.ts'
import {
  bytesOfFloats,
  bytesOf,
  layOutAdapter,
  layOutModel,
  listAdapterParameters,
  listBaseParameters,
  type ModelParameters,
  type Parameter,
} from '../model/parameters.ts'

/** Weights under training, with all that belongs to them in memory. */
export interface TrainedModel {
  model: ModelParameters
  adapter: AdapterSettings | null
  /** The weights that change. */
  trainable: readonly Parameter[]
  /** Parameters whose transpose the backward pass needs. */
  transposed: readonly Parameter[]
  /** Areas of gradients, each laid out by `gradientOffset`; the first gets the sum of all. */
  gradients: readonly Address[]
  gradientBytes: number
  /** Moments of the optimizer, laid out as the gradients. */
  firstMoments: Address
  secondMoments: Address
  /** Four sums of squares, in double precision. */
  squares: Address
  /** All allocations. */
  blocks: readonly Address[]
}

/** Gradients are summed in so many buffers, so that as many threads can work; their number decides how sums are rounded, so it depends on the model alone. */
const maxGradientBuffers = 4
const maxGradientBytes = 128 * 1024 * 1024
/** Four sums in double precision, padded. */
const squaresBytes = 64

/** Number of gradient buffers for a model whose gradients take `gradientBytes`. */
export function countGradientBuffers(gradientBytes: number): number {
  return Math.max(1, Math.min(maxGradientBuffers, Math.floor(maxGradientBytes / gradientBytes)))
}

/** Bytes for training in addition to the initial weights and the activations of batches. */
export function trainedModelBytes(base: ModelParameters, adapter: AdapterSettings | null): number {
  const model = adapter ? layOutAdapter(base, adapter) : layOutModel(base.config, 'F32')
  const trained = adapter ? listAdapterParameters(model) : listBaseParameters(model)
  const gradientBytes = bytesOf(trained)
  const weights = adapter ? gradientBytes : modelBytes(base.config, 'F32')
  return weights + gradientBytes * (2 + countGradientBuffers(gradientBytes)) + squaresBytes + bytesOf(listTransposed(model))
}

function listTransposed(model: ModelParameters): Parameter[] {
  const linear = [...listBaseParameters(model), ...listAdapterParameters(model)].filter(
    ({ columns, format }) => columns > 0 && format === 'F32',
  )
  return linear.filter((parameter) => parameter !== model.embedding || model.head === model.embedding)
}

/**
 * Prepares training from `base`, whose weights are unchanged: with an adapter they are used without copying any. An adapter begins at random unless
 * `from` has one.
 * @throws OutOfMemoryError, with nothing left allocated
 */
export function createTrainedModel(
  memory: KernelMemory,
  { base, adapter, seed }: { base: ModelParameters; adapter: AdapterSettings | null; seed: bigint },
): TrainedModel {
  const blocks: Address[] = []
  const allocate = (bytes: number) => {
    const block = memory.allocate(bytes)
    blocks.push(block)
    return block
  }
  try {
    const weights = adapter ? copyAdapter(memory, { base, adapter, seed }) : copyModel(memory, base)
    blocks.push(weights.block)
    // Other users of the same weights train nothing and have no transposes.
    const model = structuredClone(weights.model)
    const trainable = adapter ? listAdapterParameters(model) : listBaseParameters(model)
    const transposed = listTransposed(model)
    const gradientBytes = bytesOf(trainable)
    let offset = 0
    for (const parameter of trainable) {
      parameter.gradientOffset = offset
      offset += bytesOfFloats(parameter.length)
    }
    let next = allocate(bytesOf(transposed))
    for (const parameter of transposed) {
      parameter.transposed = next
      next += bytesOfFloats(parameter.length)
    }
    return {
      model,
      adapter,
      trainable,
      transposed,
      gradients: Array.from({ length: countGradientBuffers(gradientBytes) }, () => allocate(gradientBytes)),
      gradientBytes,
      firstMoments: allocate(gradientBytes),
      secondMoments: allocate(gradientBytes),
      squares: allocate(squaresBytes),
      blocks,
    }
  } catch (error) {
    for (const block of blocks) memory.free(block)
    throw error
  }
}

function copyModel(memory: KernelMemory, base: ModelParameters) {
  const copy = allocateModel(memory, base.config)
  copyWeights(memory, listBaseParameters(base), listBaseParameters(copy.model))
  return copy
}

function copyAdapter(memory: KernelMemory, { base, adapter, seed }: { base: ModelParameters; adapter: AdapterSettings; seed: bigint }) {
  const copy = allocateAdapter(memory, base, adapter)
  const from = listAdapterParameters(base)
  if (from.length > 0) copyWeights(memory, from, listAdapterParameters(copy.model))
  else initialiseAdapter(memory, copy.model, seed)
  return copy
}

function copyWeights(memory: KernelMemory, from: readonly Parameter[], to: readonly Parameter[]): void {
  for (const [index, source] of from.entries()) {
    const target = memory.floats(to[index]!.address, source.length)
    if (source.format === 'F32') target.set(memory.floats(source.address, source.length))
    else fromBfloat16(memory.halves(source.address, source.length), target)
  }
}
