import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import type { AdapterSettings } from '../engine/engine.ts'
import { KernelMemory } from '../engine/embedded/kernels/kernel-memory.ts'
import { findKernelSet } from '../engine/embedded/kernels/kernels.ts'
import { initialiseModel } from '../engine/embedded/model/initialise.ts'
import { allocateModel } from '../engine/embedded/model/model-weights.ts'
import { readPanels } from '../engine/embedded/model/panels.ts'
import { listAdapterParameters, listBaseParameters, type Parameter } from '../engine/embedded/model/parameters.ts'
import { createRandom, nextNormal } from '../engine/embedded/random.ts'
import { createTrainedModel, type TrainedModel } from '../engine/embedded/training/trained-model.ts'
import { Trainer } from '../engine/embedded/training/trainer.ts'
import type { ReferenceModel } from './reference-model.ts'
import type { Scalar, ScalarTape } from './scalar-tape.ts'

/** A model under training in this thread, without a process of its own. */
export interface TestTraining {
  memory: KernelMemory
  trained: TrainedModel
  trainer: Trainer
}

/** Equal arguments give equal weights. No weight begins as zero or one, which would hide what depends on it. */
export function startTestTraining(config: ModelConfig, adapter: AdapterSettings | null): TestTraining {
  const memory = new KernelMemory(64 * 1024 * 1024, findKernelSet())
  const { model: base } = allocateModel(memory, config)
  initialiseModel(memory, base, 5n)
  const trained = createTrainedModel(memory, { base, adapter, seed: 3n })
  const random = createRandom(11n)
  const changed = adapter ? listAdapterParameters(trained.model) : listBaseParameters(trained.model)
  for (const { address, shape, columns, inner } of changed) {
    const [out = 0, into = inner] = columns > 0 ? shape : [1]
    const values = memory.floats(address, Math.max(inner * columns, inner))
    for (let o = 0; o < out; o++)
      for (let i = 0; i < into; i++) values[columns ? (o >> 3) * inner * 8 + i * 8 + (o & 7) : i]! += 0.2 * nextNormal(random)
  }
  return { memory, trained, trainer: new Trainer(memory, trained) }
}

/** The reference with the same weights, and the scalars of each parameter. */
export function referenceOf(tape: ScalarTape, { memory, trained: { model } }: TestTraining): ReferenceModel {
  const parameters = [...listBaseParameters(model), ...listAdapterParameters(model)]
  const scalars = (values: Float32Array): Scalar[] => Array.from(values, (value) => tape.constant(value))
  const tensors = new Map(
    parameters.map((parameter) => [parameter.name, scalars(readPanels(parameter, memory.floats(parameter.address, parameter.length)))]),
  )
  return { config: model.config, tensors, adapterFactor: model.adapterFactor }
}

/** Of each parameter, from derivatives by each number on the tape. */
export function referenceGradients({ tensors }: ReferenceModel, derivatives: ArrayLike<number>): (parameter: Parameter) => number[] {
  return ({ name }) => tensors.get(name)!.map((scalar) => derivatives[scalar]!)
}

/** How far the gradients of a parameter are from those of the reference. */
export interface GradientError {
  name: string
  /** The largest derivative of the reference. */
  largest: number
  /** The largest difference, as a share of it. */
  worst: number
}

export function gradientErrors(
  { memory, trained }: Pick<TestTraining, 'memory' | 'trained'>,
  expectedOf: (parameter: Parameter) => ArrayLike<number>,
): GradientError[] {
  return trained.trainable.map((parameter) => {
    const parts = trained.gradients.map((buffer) =>
      readPanels(parameter, memory.floats(buffer + parameter.gradientOffset, parameter.length)),
    )
    const expected = Array.from(expectedOf(parameter))
    const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const difference = expected.reduce(
      (most, value, i) => Math.max(most, Math.abs(parts.reduce((sum, part) => sum + part[i]!, 0) - value)),
      0,
    )
    return { name: parameter.name, largest, worst: difference / largest }
  })
}
