import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { padded } from '../model/parameters.ts'

/** Keys and values of the tokens of one sequence. */
export interface KeyValueCache {
  /**
   * For each layer keys and then values, each of as many numbers. Keys are in panels of eight tokens, (keyValueHeads, padded capacity / 8, headWidth, 8),
   * as products take them; values are (padded capacity, keyValueHeads x headWidth).
   */
  block: Address
  /** Tokens that fit. */
  capacity: number
}

const rowFloats = ({ keyValueHeads, headWidth }: ModelConfig) => keyValueHeads * headWidth

const halfBytes = (config: ModelConfig, capacity: number) => padded(capacity) * rowFloats(config) * 4

export function cacheBytes(config: ModelConfig, capacity: number): number {
  return config.layers * 2 * halfBytes(config, capacity)
}

/** @throws OutOfMemoryError */
export function allocateCache(memory: KernelMemory, config: ModelConfig, capacity: number): KeyValueCache {
  return { block: memory.allocateDirty(cacheBytes(config, capacity)), capacity }
}

export function keysOf(config: ModelConfig, { block, capacity }: KeyValueCache, layer: number): Address {
  return block + layer * 2 * halfBytes(config, capacity)
}

export function valuesOf(config: ModelConfig, cache: KeyValueCache, layer: number): Address {
  return keysOf(config, cache, layer) + halfBytes(config, cache.capacity)
}

/** Copies the first `tokens` of one cache to another: completions of one prompt compute it once. */
export function copyCache(
  memory: KernelMemory,
  use: { config: ModelConfig; from: KeyValueCache; to: KeyValueCache; tokens: number },
): void {
  const { config, from, to, tokens } = use
  const { keyValueHeads, headWidth } = config
  const copy = (source: Address, target: Address, floats: number) => memory.floats(target, floats).set(memory.floats(source, floats))
  for (let layer = 0; layer < config.layers; layer++) {
    for (let head = 0; head < keyValueHeads; head++) {
      const [source, target] = [from, to].map((cache) => keysOf(config, cache, layer) + head * padded(cache.capacity) * headWidth * 4)
      copy(source!, target!, padded(tokens) * headWidth)
    }
    copy(valuesOf(config, from, layer), valuesOf(config, to, layer), tokens * rowFloats(config))
  }
}
