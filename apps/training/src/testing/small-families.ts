import type { ModelConfig } from '../checkpoint-files/model-config.ts'
import { aConfig } from './write-random-model.ts'

// Rotations of 0.03 to 1 radian: the scaling below keeps the fastest, divides the slow ones, and lies between for one.
const size = { vocabularySize: 21, feedForwardWidth: 24, contextLength: 64, ropeTheta: 100 }

/** A model of each family with what it adds to the shape of Llama, so small that a plain reference computes it in double precision. */
export const smallFamilies: Readonly<Record<string, ModelConfig>> = {
  'Llama 3.1': aConfig({
    ...size,
    tiedEmbeddings: false,
    ropeScaling: { factor: 4, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContextLength: 32 },
  }),
  Mistral: aConfig({ ...size, family: 'mistral', tiedEmbeddings: false }),
  'Qwen2.5': aConfig({ ...size, family: 'qwen2', biases: { queriesKeysValues: true, attentionOutput: false, feedForward: false } }),
  Qwen3: aConfig({ ...size, family: 'qwen3', headWidth: 16, queryKeyNorm: true }),
  SmolLM3: aConfig({ ...size, family: 'smollm3', unrotatedLayers: [1] }),
}
