import type { LlamaConfig } from '../checkpoint-files/llama-config.ts'
import { linearNames, linearShape } from '../checkpoint-files/llama-tensors.ts'
import type { DescribedModel } from './read-base-model.ts'

/** Bytes that the embedded engine needs for a model. Numbers are kept as four bytes each, whatever their format on disk. */
export interface MemoryEstimate {
  /** Of the weights of one version. Versions of a model with adapters share those of the base model. */
  weights: number
  /** Of one version beyond them: its adapter; 0 when every weight is trained. */
  adapter: number
  /** Of keys and values of one completion that fills the context. */
  completion: number
  /** Of training beyond the weights: gradients, two moments, and activations of one sequence that fills the context. */
  training: number
}

const bytesPerNumber = 4

export function estimateMemory({ config, parameters, adapter }: Pick<DescribedModel, 'config' | 'parameters' | 'adapter'>): MemoryEstimate {
  const adapterNumbers = adapter ? adapterParameters(config, adapter.rank) : 0
  const trained = adapter ? adapterNumbers : parameters
  return {
    weights: bytesPerNumber * parameters,
    adapter: bytesPerNumber * adapterNumbers,
    completion: bytesPerNumber * 2 * config.layers * config.contextLength * config.keyValueHeads * config.headWidth,
    training: bytesPerNumber * (3 * trained + activationNumbers(config)),
  }
}

function adapterParameters(config: LlamaConfig, rank: number): number {
  const perLayer = linearNames.map((name) => linearShape(config, name)).reduce((sum, [into, out]) => sum + rank * (into + out), 0)
  return config.layers * perLayer
}

/** What the backward pass of one full sequence needs: what each block read and computed, attention weights, and logits. */
function activationNumbers(config: LlamaConfig): number {
  const { layers, heads, headWidth, keyValueHeads, width, feedForwardWidth, contextLength, vocabularySize } = config
  const perToken = 4 * width + 2 * heads * headWidth + 2 * keyValueHeads * headWidth + 3 * feedForwardWidth + heads * contextLength
  return contextLength * (layers * perToken + 2 * width + vocabularySize)
}
