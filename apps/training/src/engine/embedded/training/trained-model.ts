import { fromBfloat16 } from '../../../checkpoint-files/float-formats.ts'
import type { AdapterSettings } from '../../engine.ts'
import { blocksOfFloats } from '../blocks.ts'
import { clearFloats } from '../kernels/clear-floats.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { initialiseAdapter } from '../model/initialise.ts'
import { allocateAdapter, modelBytes, placeModel } from '../model/model-weights.ts'
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
import { copyRotaryTables } from '../model/rotary-tables.ts'
import { finish, type Work } from '../work.ts'

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

export interface TrainingStart {
  base: ModelParameters
  /** Null trains every weight. */
  adapter: AdapterSettings | null
  /** Decides the numbers of an adapter that begins at random. */
  seed: bigint
}

/** Prepares training at once, as `allocateTrainedModel` and `fillTrainedModel` do. @throws OutOfMemoryError, with nothing left allocated */
export function createTrainedModel(memory: KernelMemory, start: TrainingStart): TrainedModel {
  const trained = allocateTrainedModel(memory, start)
  finish(fillTrainedModel(memory, trained, start))
  return trained
}

/**
 * Allocates all memory of training from `base`, whose weights are unchanged: with an adapter they are used without copying any. The numbers in it are
 * undefined. @throws OutOfMemoryError, with nothing left allocated
 */
export function allocateTrainedModel(memory: KernelMemory, { base, adapter }: Omit<TrainingStart, 'seed'>): TrainedModel {
  const blocks: Address[] = []
  const allocate = (bytes: number) => {
    const block = memory.allocateDirty(bytes)
    blocks.push(block)
    return block
  }
  try {
    const weights = adapter ? allocateAdapter(memory, base, adapter) : placeModel(memory, base.config, 'F32')
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

/** Writes the weights that training starts from: those of `base`, or a new adapter unless it has one. Gradients and moments are zero. Yields after each block. */
export function* fillTrainedModel(memory: KernelMemory, trained: TrainedModel, { base, seed }: Omit<TrainingStart, 'adapter'>): Work<void> {
  const { model, adapter, transposed, gradients, gradientBytes, firstMoments, secondMoments } = trained
  if (!adapter) yield* copyModel(memory, base, model)
  else if (base.adapterFactor === 0) yield* initialiseAdapter(memory, model, seed)
  else yield* copyWeights(memory, listAdapterParameters(base), listAdapterParameters(model))
  for (const area of [...gradients, firstMoments, secondMoments]) yield* clearFloats(memory, area, gradientBytes / 4)
  const [first] = transposed
  if (first) yield* clearFloats(memory, first.transposed, bytesOf(transposed) / 4)
}

function* copyModel(memory: KernelMemory, from: ModelParameters, to: ModelParameters): Work<void> {
  yield* copyRotaryTables(memory, to.config, { from, to })
  yield* copyWeights(memory, listBaseParameters(from), listBaseParameters(to))
}

function* copyWeights(memory: KernelMemory, from: readonly Parameter[], to: readonly Parameter[]): Work<void> {
  for (const [index, { address, length, format }] of from.entries()) {
    for (const { first, count } of blocksOfFloats(length)) {
      const target = memory.floats(to[index]!.address + first * 4, count)
      if (format === 'F32') target.set(memory.floats(address + first * 4, count))
      else fromBfloat16(memory.halves(address + first * 2, count), target)
      yield
    }
  }
}
