import { KernelMemory } from '../engine/embedded/kernels/kernel-memory.ts'
import { modelBytes } from '../engine/embedded/model/model-weights.ts'
import { bytesOf, layOutAdapter, layOutModel, listAdapterParameters } from '../engine/embedded/model/parameters.ts'
import { packRows } from '../engine/embedded/passes/packed-rows.ts'
import { threadBytes } from '../engine/embedded/passes/pass-bytes.ts'
import { cacheBytes } from '../engine/embedded/sampling/key-value-cache.ts'
import { trainedModelBytes } from '../engine/embedded/training/trained-model.ts'
import type { DescribedModel } from './read-base-model.ts'

/** Bytes that the embedded engine allocates for a model. Numbers are kept as four bytes each, and as two while they do not change where the file has them in BF16. */
export interface MemoryEstimate {
  /** Bytes of the weights of one version. Versions of a model with adapters share those of the base model. */
  weights: number
  /** Additional bytes of one version: its adapter; 0 if every weight is trained. */
  adapter: number
  /** Of keys and values of one completion that fills the context. */
  completion: number
  /** Of training beyond the weights of the version where it begins, with the least that its sequences take. */
  training: number
}

/** @param threads that train; each needs its own memory @param tokens of the longest sequence in training, by default the full context */
export function estimateMemory(
  { config, adapter, format }: Pick<DescribedModel, 'config' | 'adapter' | 'format'>,
  { threads = 1, tokens = config.contextLength }: { threads?: number; tokens?: number } = {},
): MemoryEstimate {
  const base = layOutModel(config, format)
  const trained = adapter ? layOutAdapter(base, adapter) : layOutModel(config, 'F32')
  return {
    weights: modelBytes(config, format),
    adapter: bytesOf(listAdapterParameters(trained)),
    completion: cacheBytes(config, config.contextLength),
    training:
      trainedModelBytes(base, adapter) + threads * threadBytes(trained, rowOf(Math.min(tokens, config.contextLength)), measuringKernels()),
  }
}

/** The rows of one sequence, whose every token is scored. */
function rowOf(length: number) {
  return packRows([{ tokens: new Int32Array(length), scored: new Uint8Array(length).fill(1) }])
}

/** Kernels used only to compute how much memory they need. */
const measuringKernels = () => new KernelMemory(0, 'plain').kernels
