import { linearNames } from '../../../checkpoint-files/model-tensors.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { fillPanels } from './panels.ts'
import { listBaseParameters, type ModelParameters, type Parameter } from './parameters.ts'
import { createRandom, nextNormal, type Random } from '../random.ts'
import type { Work } from '../work.ts'

/**
 * Random weights to train from: normal with a deviation of 0.02 for embeddings and 0.8 / sqrt(in) for linear layers, smaller by sqrt(2 layers) where a block writes to
 * the residual stream (Radford et al. 2019); norms 1, biases 0.
 */
export function initialiseModel(memory: KernelMemory, model: ModelParameters, seed: bigint): void {
  const random = createRandom(seed)
  const residual = 1 / Math.sqrt(2 * model.config.layers)
  for (const parameter of listBaseParameters(model)) fill(memory, parameter, valuesOf(parameter, residual, random))
}

function valuesOf(parameter: Parameter, residual: number, random: Random): () => number {
  if (parameter.columns === 0) return () => (parameter.name.endsWith('.bias') ? 0 : 1)
  const isResidual = parameter.name.includes('o_proj') || parameter.name.includes('down_proj')
  const isEmbedding = !parameter.name.includes('_proj')
  const deviation = isEmbedding ? 0.02 : (0.8 / Math.sqrt(parameter.shape[1] ?? 1)) * (isResidual ? residual : 1)
  return () => nextNormal(random) * deviation
}

/** As PEFT begins: A uniform within 1 / sqrt(in), B zero, so that the adapter changes nothing yet (Hu et al. 2021). Yields after each linear layer. */
export function* initialiseAdapter(memory: KernelMemory, model: ModelParameters, seed: bigint): Work<void> {
  const random = createRandom(seed)
  for (const { linears } of model.layers) {
    for (const name of linearNames) {
      const { adapter } = linears[name]
      if (!adapter) continue
      const bound = 1 / Math.sqrt(adapter.a.shape[1] ?? 1)
      fill(memory, adapter.a, () => (2 * random.next() - 1) * bound)
      fill(memory, adapter.b, () => 0)
      yield
    }
  }
}

function fill(memory: KernelMemory, parameter: Parameter, next: () => number): void {
  const size = parameter.shape.reduce((product, length) => product * length, 1)
  const tensor = Float32Array.from({ length: size }, next)
  fillPanels(parameter, tensor, memory.floats(parameter.address, parameter.length))
}
