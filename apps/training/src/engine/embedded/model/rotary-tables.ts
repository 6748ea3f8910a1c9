import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { alignedBytes } from './parameters.ts'

export function rotaryTableBytes(config: ModelConfig): number {
  return 2 * alignedBytes((config.contextLength * config.headWidth) / 2)
}

/** Cosines and sines of each position's angles (Su et al. 2021), at `start`. */
export function fillRotaryTables(memory: KernelMemory, config: ModelConfig, start: Address): { cosines: Address; sines: Address } {
  const half = config.headWidth / 2
  const length = config.contextLength * half
  const sines = start + alignedBytes(length)
  const cosineTable = memory.floats(start, length)
  const sineTable = memory.floats(sines, length)
  for (let position = 0; position < config.contextLength; position++) {
    for (let i = 0; i < half; i++) {
      const angle = position * config.ropeTheta ** (-i / half)
      cosineTable[position * half + i] = Math.cos(angle)
      sineTable[position * half + i] = Math.sin(angle)
    }
  }
  return { cosines: start, sines }
}
