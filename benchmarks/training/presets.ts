import type { ModelConfig } from '@heddle/training/testing'

/** A model with the batch that it is trained on here. */
export interface Preset {
  name: string
  config: Partial<ModelConfig>
  /** In which its files have the weights. */
  format: 'F32' | 'BF16'
  sequences: number
  length: number
  /** Tokens of the prompt by which reading is measured. */
  prompt: number
  /** Completions that are sampled together. */
  together: number
  /** Tokens of each completion that is measured. */
  sampled: number
  /** Whether it takes so long that it is measured only when it is named. */
  onlyByName: boolean
}

const shared = { vocabularySize: 512, contextLength: 512 }
const small = { format: 'F32', prompt: 256, together: 16, sampled: 120, onlyByName: false } as const
const heads = (count: number, width: number) => ({ heads: count, keyValueHeads: count, headWidth: width / count, width })

export const presets: readonly Preset[] = [
  { ...small, name: 'nano', config: { ...shared, ...heads(4, 64), layers: 2, feedForwardWidth: 192 }, sequences: 32, length: 64 },
  { ...small, name: 'micro', config: { ...shared, ...heads(4, 128), layers: 4, feedForwardWidth: 384 }, sequences: 16, length: 128 },
  { ...small, name: 'small', config: { ...shared, ...heads(8, 256), layers: 6, feedForwardWidth: 768 }, sequences: 8, length: 256 },
  {
    // The shape of SmolLM2-135M, with random weights.
    name: 'llama-135m',
    config: {
      vocabularySize: 49_152,
      contextLength: 2_048,
      width: 576,
      layers: 30,
      heads: 9,
      keyValueHeads: 3,
      headWidth: 64,
      feedForwardWidth: 1_536,
      ropeTheta: 100_000,
    },
    format: 'BF16',
    sequences: 4,
    length: 129,
    prompt: 512,
    together: 8,
    sampled: 32,
    onlyByName: true,
  },
]
