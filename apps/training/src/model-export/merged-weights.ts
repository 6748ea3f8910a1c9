import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAdapterConfig } from '../checkpoint-files/adapter-config.ts'
import { readModelConfig } from '../checkpoint-files/read-model-config.ts'
import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { type LinearName, linearNames, tensorNames } from '../checkpoint-files/model-tensors.ts'
import { openTensorFiles } from '../checkpoint-files/tensor-files.ts'

/** The weights of a version with its adapter added, read a few rows at a time. */
export interface MergedWeights {
  config: ModelConfig
  readRows(name: string, shape: readonly number[], rows: { from: number; to: number }): Float32Array
  close(): void
}

/** @param checkpoint folder of the checkpoint; null for the base model as it is @throws ModelFileError for files that are missing or damaged */
export function openMergedWeights(base: string, checkpoint: string | null): MergedWeights {
  if (checkpoint === null || !existsSync(join(checkpoint, 'adapter_config.json'))) return openWeights(checkpoint ?? base)
  const weights = openWeights(base)
  try {
    return addAdapter(weights, checkpoint)
  } catch (error) {
    weights.close()
    throw error
  }
}

function openWeights(folder: string): MergedWeights {
  const config = readModelConfig(folder)
  const { readRows, close } = openTensorFiles(folder, 'model')
  return { config, readRows, close }
}

/** Each weight plus alpha / rank times B A. */
function addAdapter(weights: MergedWeights, folder: string): MergedWeights {
  const { rank, alpha, modules = linearNames } = readAdapterConfig(folder)
  const files = openTensorFiles(folder, 'adapter_model')
  const adapted = namesOf(weights.config, modules)
  /** The weight that was read last: its rows come one part after the other. */
  let last: { name: string; a: Float32Array } | undefined
  function readA(name: string, tensor: string, into: number): Float32Array {
    if (last?.name !== name) last = { name, a: files.read(tensor, [rank, into]) }
    return last.a
  }
  return {
    config: weights.config,
    readRows(name, shape, rows) {
      const numbers = weights.readRows(name, shape, rows)
      const adapter = adapted.get(name)
      if (!adapter) return numbers
      const [out, into] = shape as [number, number]
      const b = files.readRows(adapter.b, [out, rank], rows)
      return addProduct(numbers, b, { a: readA(name, adapter.a, into), rank, factor: alpha / rank })
    },
    close() {
      files.close()
      weights.close()
    },
  }
}

function namesOf({ layers }: ModelConfig, modules: readonly LinearName[]): ReadonlyMap<string, { a: string; b: string }> {
  const entries = Array.from({ length: layers }, (_, layer) =>
    modules.map((name) => {
      const parts = { a: tensorNames.adapter(layer, name, 'lora_A'), b: tensorNames.adapter(layer, name, 'lora_B') }
      return [tensorNames.linear(layer, name), parts] as const
    }),
  )
  return new Map(entries.flat())
}

/** Adds factor times B A to rows of a weight. */
function addProduct(
  weight: Float32Array,
  b: Float32Array,
  { a, rank, factor }: { a: Float32Array; rank: number; factor: number },
): Float32Array {
  const into = a.length / rank
  for (let row = 0; row < b.length / rank; row++) {
    for (let k = 0; k < rank; k++) {
      const scale = factor * b[row * rank + k]!
      for (let i = 0; i < into; i++) weight[row * into + i]! += scale * a[k * into + i]!
    }
  }
  return weight
}
