import type { ModelConfig } from '@heddle/training/testing'

/** A model with the batch that it is trained on here. */
export interface Preset {
  name: string
  config: Partial<ModelConfig>
  sequences: number
  length: number
}

const shared = { vocabularySize: 512, contextLength: 512 }
const heads = (count: number, width: number) => ({ heads: count, keyValueHeads: count, headWidth: width / count, width })

export const presets: readonly Preset[] = [
  { name: 'nano', config: { ...shared, ...heads(4, 64), layers: 2, feedForwardWidth: 192 }, sequences: 32, length: 64 },
  { name: 'micro', config: { ...shared, ...heads(4, 128), layers: 4, feedForwardWidth: 384 }, sequences: 16, length: 128 },
  { name: 'small', config: { ...shared, ...heads(8, 256), layers: 6, feedForwardWidth: 768 }, sequences: 8, length: 256 },
]
