import type { ModelConfig, RotaryScaling } from '../../../checkpoint-files/model-config.ts'
import { blocksOfFloats, blocksOfRange } from '../blocks.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { Work } from '../work.ts'
import { bytesOfFloats } from './parameters.ts'

/** Angles of a block: their cosines and sines take one thread some 15 ms. */
const blockAngles = 2 ** 18

export function rotaryTableBytes(config: ModelConfig): number {
  return 2 * bytesOfFloats(tableLength(config))
}

export interface RotaryTables {
  cosines: Address // (contextLength, headWidth / 2)
  sines: Address // (contextLength, headWidth / 2)
}

/** The addresses of tables that begin at `start`. */
export function placeRotaryTables(config: ModelConfig, start: Address): RotaryTables {
  return { cosines: start, sines: start + bytesOfFloats(tableLength(config)) }
}

const tableLength = ({ contextLength, headWidth }: ModelConfig) => (contextLength * headWidth) / 2

/** Writes cosines and sines of each position's angles (Su et al. 2021). Yields after each block. */
export function* fillRotaryTables(memory: KernelMemory, config: ModelConfig, { cosines, sines }: RotaryTables): Work<void> {
  const half = config.headWidth / 2
  const length = tableLength(config)
  const cosineTable = memory.floats(cosines, length)
  const sineTable = memory.floats(sines, length)
  const frequencies = Array.from({ length: half }, (_, i) => scaled(config.ropeTheta ** (-i / half), config.ropeScaling))
  for (const { first, count } of blocksOfRange(config.contextLength, Math.ceil(blockAngles / half))) {
    for (let position = first; position < first + count; position++) {
      for (let i = 0; i < half; i++) {
        const angle = position * frequencies[i]!
        cosineTable[position * half + i] = Math.cos(angle)
        sineTable[position * half + i] = Math.sin(angle)
      }
    }
    yield
  }
}

/** Copies the tables of a model with the same configuration. Yields after each block. */
export function* copyRotaryTables(
  memory: KernelMemory,
  config: ModelConfig,
  { from, to }: { from: RotaryTables; to: RotaryTables },
): Work<void> {
  for (const { first, count } of blocksOfFloats(tableLength(config))) {
    for (const name of ['cosines', 'sines'] as const)
      memory.floats(to[name] + first * 4, count).set(memory.floats(from[name] + first * 4, count))
    yield
  }
}

/** A frequency after the scaling of Llama 3.1, which goes by the number of turns that it made in the original context. */
function scaled(frequency: number, scaling: RotaryScaling | null): number {
  if (!scaling) return frequency
  const { factor, lowFrequencyFactor: low, highFrequencyFactor: high, originalContextLength } = scaling
  const turns = (originalContextLength * frequency) / (2 * Math.PI)
  const kept = Math.min(1, Math.max(0, (turns - low) / (high - low)))
  return kept * frequency + (1 - kept) * (frequency / factor)
}
