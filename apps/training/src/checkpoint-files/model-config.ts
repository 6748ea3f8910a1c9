import type { ModelFamily } from './model-families.ts'

/** The shape of a decoder: RMSNorm, rotary positions in half-split layout, grouped heads, SwiGLU; and what its family adds. */
export interface ModelConfig {
  family: ModelFamily
  vocabularySize: number
  /** Width of the residual stream. */
  width: number
  layers: number
  heads: number
  /** Heads of keys and values, each shared by `heads / keyValueHeads` heads. */
  keyValueHeads: number
  headWidth: number
  feedForwardWidth: number
  /** Tokens of a sequence; a window of the attention ends it, since up to there it hides nothing. */
  contextLength: number
  /** Base of the rotary frequencies. */
  ropeTheta: number
  /** How the rotary frequencies were changed for a longer context. */
  ropeScaling: RotaryScaling | null
  normEpsilon: number
  /** Whether the embedding is the output projection as well. */
  tiedEmbeddings: boolean
  biases: Biases
  /** Whether each head's query and key is normed before it is rotated. */
  queryKeyNorm: boolean
  /** Layers whose attention has no positions, ascending. */
  unrotatedLayers: readonly number[]
}

/** The scaling of Llama 3.1: frequencies with long waves are divided by `factor`, those with short ones stay, and those between are mixed. */
export interface RotaryScaling {
  factor: number
  lowFrequencyFactor: number
  highFrequencyFactor: number
  /** Tokens of the context before. */
  originalContextLength: number
}

/** Which linear layers add a vector to their output. */
export interface Biases {
  queriesKeysValues: boolean
  attentionOutput: boolean
  feedForward: boolean
}

/** Weights of the model, without those of adapters. */
export function countParameters(config: ModelConfig): number {
  const { width, heads, keyValueHeads, headWidth, feedForwardWidth, biases } = config
  const attention = 2 * width * headWidth * (heads + keyValueHeads)
  const biased =
    (biases.queriesKeysValues ? headWidth * (heads + 2 * keyValueHeads) : 0) +
    (biases.attentionOutput ? width : 0) +
    (biases.feedForward ? 2 * feedForwardWidth + width : 0)
  const norms = 2 * width + (config.queryKeyNorm ? 2 * headWidth : 0)
  const layer = attention + 3 * width * feedForwardWidth + biased + norms
  const embeddings = config.vocabularySize * width * (config.tiedEmbeddings ? 1 : 2)
  return embeddings + config.layers * layer + width
}
