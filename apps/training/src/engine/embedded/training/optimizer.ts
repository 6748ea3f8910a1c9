import type { OptimizerSettings } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { panelWidth } from '../model/parameters.ts'
import { blocksOfFloats, blocksOfPanels } from '../blocks.ts'
import type { Work } from '../work.ts'
import { clearFloats } from '../kernels/clear-floats.ts'
import type { TrainedModel } from './trained-model.ts'

/** The sum of all gradient buffers, in order, into the first. Yields after each block, as all of a step. */
export function* sumGradients({ kernels }: KernelMemory, { gradients, gradientBytes }: TrainedModel): Work<void> {
  const [sum = 0, ...others] = gradients
  for (const other of others) {
    for (const { first, count } of blocksOfFloats(gradientBytes / 4)) {
      kernels.add(sum + first * 4, other + first * 4, count)
      yield
    }
  }
}

export function* clearGradients(memory: KernelMemory, { gradients, gradientBytes }: TrainedModel): Work<void> {
  for (const buffer of gradients) yield* clearFloats(memory, buffer, gradientBytes / 4)
}

/** The Euclidean norm over all gradients in the first buffer. */
export function* gradientNorm(memory: KernelMemory, { gradients, gradientBytes, squares }: TrainedModel): Work<number> {
  const sums = memory.doubles(squares, 4).fill(0)
  for (const { first, count } of blocksOfFloats(gradientBytes / 4)) {
    memory.kernels.addSquares(gradients[0]! + first * 4, count, squares)
    yield
  }
  const [a = 0, b = 0, c = 0, d = 0] = sums
  return Math.sqrt(a + c + (b + d))
}

/** One step of AdamW with the gradients in the first buffer. `stepNumber` counts from 1. Norms do not decay. */
export function* applyGradients(
  memory: KernelMemory,
  trained: TrainedModel,
  { settings, norm, stepNumber }: { settings: OptimizerSettings; norm: number; stepNumber: number },
): Work<void> {
  const { learningRate, beta1, beta2, epsilon, weightDecay, clip } = settings
  const factor = norm > clip ? clip / norm : 1
  for (const { address, length, columns, gradientOffset } of trained.trainable) {
    for (const { first, count } of blocksOfFloats(Math.ceil(length / 4) * 4)) {
      const gradient = gradientOffset + first * 4
      memory.kernels.adamW(
        ...([address + first * 4, trained.gradients[0]! + gradient, trained.firstMoments + gradient] as const),
        ...([trained.secondMoments + gradient, count, learningRate, beta1, beta2, epsilon, columns > 0 ? weightDecay : 0] as const),
        ...([1 - beta1 ** stepNumber, 1 - beta2 ** stepNumber, factor] as const),
      )
      yield
    }
  }
}

/** Recomputes the transposes of all weights, or of those that training changes. */
export function* transposeWeights({ kernels }: KernelMemory, { transposed }: TrainedModel, which: 'all' | 'trainable'): Work<void> {
  for (const { address, inner, columns, transposed: target, gradientOffset } of transposed) {
    if (which === 'trainable' && gradientOffset < 0) continue
    for (const { first, count } of blocksOfPanels(inner / panelWidth, panelWidth * columns)) {
      kernels.transposePanels(address, inner, columns, target, first, count)
      yield
    }
  }
}
