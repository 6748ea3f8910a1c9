import type { ModelConfig, RotaryScaling } from '../../../checkpoint-files/model-config.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { bytesOfFloats } from './parameters.ts'

export function rotaryTableBytes(config: ModelConfig): number {
  return 2 * bytesOfFloats((config.contextLength * config.headWidth) / 2)
}

/** Cosines and sines of each position's angles (Su et al. 2021), at `start`. */
export function fillRotaryTables(memory: KernelMemory, config: ModelConfig, start: Address): { cosines: Address; sines: Address } {
  const half = config.headWidth / 2
  const length = config.contextLength * half
  const sines = start + bytesOfFloats(length)
  const cosineTable = memory.floats(start, length)
  const sineTable = memory.floats(sines, length)
  const frequencies = Array.from({ length: half }, (_, i) => scaled(config.ropeTheta ** (-i / half), config.ropeScaling))
  for (let position = 0; position < config.contextLength; position++) {
    for (let i = 0; i < half; i++) {
      const angle = position * frequencies[i]!
      cosineTable[position * half + i] = Math.cos(angle)
      sineTable[position * half + i] = Math.sin(angle)
    }
  }
  return { cosines: start, sines }
}

/** A frequency after the scaling of Llama 3.1, which goes by the number of turns that it made in the original context. */
function scaled(frequency: number, scaling: RotaryScaling | null): number {
  if (!scaling) return frequency
  const { factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalContextLength } = scaling
  const turns = (originalContextLength * frequency) / (2 * Math.PI)
  const kept = Math.min(1, Math.max(0, (turns - low) / (high - low)))
  return kept * frequency + (1 - kept) * (frequency / factor)
}
