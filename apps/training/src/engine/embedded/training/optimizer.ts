import type { OptimizerSettings } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Work } from '../passes/work.ts'
import type { TrainedModel } from './trained-model.ts'

/** The sum of all gradient buffers, in order, into the first. */
export function sumGradients({ kernels }: KernelMemory, { gradients, gradientBytes }: TrainedModel): void {
  const [sum = 0, ...others] = gradients
  for (const other of others) kernels.add(sum, other, gradientBytes / 4)
}

export function clearGradients(memory: KernelMemory, { gradients, gradientBytes }: TrainedModel): void {
  for (const buffer of gradients) memory.floats(buffer, gradientBytes / 4).fill(0)
}

/** The Euclidean norm over all gradients in the first buffer. */
export function gradientNorm({ kernels }: KernelMemory, { gradients, gradientBytes }: TrainedModel): number {
  return Math.sqrt(kernels.sumOfSquares(gradients[0] ?? 0, gradientBytes / 4))
}

/** One step of AdamW with the gradients in the first buffer. `stepNumber` counts from 1. Norms do not decay. Yields after each parameter. */
export function* applyGradients(
  memory: KernelMemory,
  trained: TrainedModel,
  { settings, norm, stepNumber }: { settings: OptimizerSettings; norm: number; stepNumber: number },
): Work<void> {
  const { learningRate, beta1, beta2, epsilon, weightDecay, clip } = settings
  const factor = norm > clip ? clip / norm : 1
  for (const { address, length, columns, gradientOffset } of trained.trainable) {
    const floats = Math.ceil(length / 4) * 4
    memory.kernels.adamW(
      ...([address, trained.gradients[0]! + gradientOffset, trained.firstMoments + gradientOffset] as const),
      ...([trained.secondMoments + gradientOffset, floats, learningRate, beta1, beta2, epsilon, columns > 0 ? weightDecay : 0] as const),
      ...([1 - beta1 ** stepNumber, 1 - beta2 ** stepNumber, factor] as const),
    )
    yield
  }
}

/** Recomputes the transposes of all weights, or of those that training changes. Yields after each. */
export function* transposeWeights({ kernels }: KernelMemory, { transposed }: TrainedModel, which: 'all' | 'trainable'): Work<void> {
  for (const { address, inner, columns, transposed: target, gradientOffset } of transposed) {
    if (which === 'trainable' && gradientOffset < 0) continue
    kernels.transposePanels(address, inner, columns, target)
    yield
  }
}
