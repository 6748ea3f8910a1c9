import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'

/** Keys and values of the tokens of one sequence. */
export interface KeyValueCache {
  block: Address // (layers, 2, capacity, keyValueHeads x headWidth)
  /** Tokens that fit. */
  capacity: number
}

const rowFloats = ({ keyValueHeads, headWidth }: ModelConfig) => keyValueHeads * headWidth

export function cacheBytes(config: ModelConfig, capacity: number): number {
  return config.layers * 2 * capacity * rowFloats(config) * 4
}

/** @throws MemoryExhausted */
export function allocateCache(memory: KernelMemory, config: ModelConfig, capacity: number): KeyValueCache {
  return { block: memory.allocateDirty(cacheBytes(config, capacity)), capacity }
}

export function keysOf(config: ModelConfig, { block, capacity }: KeyValueCache, layer: number): Address {
  return block + layer * 2 * capacity * rowFloats(config) * 4
}

export function valuesOf(config: ModelConfig, cache: KeyValueCache, layer: number): Address {
  return keysOf(config, cache, layer) + cache.capacity * rowFloats(config) * 4
}

/** Copies the first `tokens` of one cache to another: completions of one prompt compute it once. */
export function copyCache(
  memory: KernelMemory,
  use: { config: ModelConfig; from: KeyValueCache; to: KeyValueCache; tokens: number },
): void {
  const { config, from, to, tokens } = use
  const floats = tokens * rowFloats(config)
  for (let layer = 0; layer < config.layers; layer++) {
    for (const part of [keysOf, valuesOf])
      memory.floats(part(config, to, layer), floats).set(memory.floats(part(config, from, layer), floats))
  }
}
