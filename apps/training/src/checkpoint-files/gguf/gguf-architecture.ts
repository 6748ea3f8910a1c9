import type { ModelConfig } from '../model-config.ts'
import type { ModelFamily } from '../model-families.ts'
import { ModelFileError } from '../model-file-error.ts'

export interface GgufArchitecture {
  /** Value of `general.architecture`, and the beginning of the other keys. */
  name: 'llama' | 'qwen2' | 'qwen3' | 'smollm3'
  /** Whether rows of queries and keys are in llama.cpp's order of rotated pairs. */
  interleavesHeads: boolean
}

const architectures: Readonly<Record<ModelFamily, GgufArchitecture>> = {
  llama: { name: 'llama', interleavesHeads: true },
  mistral: { name: 'llama', interleavesHeads: true },
  qwen2: { name: 'qwen2', interleavesHeads: false },
  qwen3: { name: 'qwen3', interleavesHeads: false },
  smollm3: { name: 'smollm3', interleavesHeads: true },
}

export const architectureOf = ({ family }: Pick<ModelConfig, 'family'>): GgufArchitecture => architectures[family]

/** llama.cpp leaves each fourth layer of SmolLM3 without rotation, whatever the file says. */
const unrotatedEvery = 4

/** @throws ModelFileError naming the key that llama.cpp does not compute */
export function assertGgufCan(config: ModelConfig): void {
  const { family, biases, unrotatedLayers, ropeScaling } = config
  const every = Array.from({ length: Math.floor(config.layers / unrotatedEvery) }, (_, i) => (i + 1) * unrotatedEvery - 1)
  if (family === 'smollm3' && unrotatedLayers.join() !== every.join()) {
    throw refusal(`"no_rope_layers" of other layers than each ${unrotatedEvery}th`)
  }
  if (family === 'qwen3' && biases.queriesKeysValues) throw refusal('"attention_bias" of a qwen3 model')
  if (ropeScaling && !architectureOf(config).interleavesHeads) throw refusal(`"rope_scaling" of a ${family} model`)
}

const refusal = (what: string) => new ModelFileError('unsupported', `llama.cpp does not compute ${what}; export as safetensors`)

/** The metadata that describes the shape, without the name of the architecture before the keys. */
export function toArchitectureValues(config: ModelConfig): readonly (readonly [key: string, type: 'u32' | 'f32', value: number])[] {
  return [
    ['vocab_size', 'u32', config.vocabularySize],
    ['context_length', 'u32', config.contextLength],
    ['embedding_length', 'u32', config.width],
    ['block_count', 'u32', config.layers],
    ['feed_forward_length', 'u32', config.feedForwardWidth],
    ['attention.head_count', 'u32', config.heads],
    ['attention.head_count_kv', 'u32', config.keyValueHeads],
    ['attention.key_length', 'u32', config.headWidth],
    ['attention.value_length', 'u32', config.headWidth],
    ['attention.layer_norm_rms_epsilon', 'f32', config.normEpsilon],
    ['rope.dimension_count', 'u32', config.headWidth],
    ['rope.freq_base', 'f32', config.ropeTheta],
  ]
}
