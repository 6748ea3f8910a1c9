/** The families of models that are computed, by their `model_type`. */
export const modelFamilies = ['llama', 'mistral', 'qwen2', 'qwen3', 'smollm3'] as const
export type ModelFamily = (typeof modelFamilies)[number]

/** Tokens that the attention reaches back where a window counts and `sliding_window` is left out. */
export const defaultWindow = 4_096

/** What a `config.json` may leave out means, and what no key says, as Transformers reads it. */
interface FamilyRules {
  architecture: string
  /** Null: as many as heads. */
  keyValueHeads: number | null
  /** Null: the width divided by the heads. */
  headWidth: number | null
  ropeTheta: number
  tiedEmbeddings: boolean
  /** Whether `sliding_window` counts: always, never, or with `use_sliding_window`. */
  slidingWindow: 'always' | 'never' | 'by key'
  /** Whether queries, keys and values have a bias: always, never, or by `attention_bias`, with which the output of the attention has one too. */
  attentionBias: 'always' | 'never' | 'by key'
  feedForwardBias: 'never' | 'by key'
  queryKeyNorm: boolean
  /** Whether `no_rope_layers` names layers without rotation. */
  hasUnrotatedLayers: boolean
}

const common: Omit<FamilyRules, 'architecture'> = {
  keyValueHeads: null,
  headWidth: null,
  ropeTheta: 10_000,
  tiedEmbeddings: false,
  slidingWindow: 'by key',
  attentionBias: 'by key',
  feedForwardBias: 'never',
  queryKeyNorm: false,
  hasUnrotatedLayers: false,
}

export const familyRules: Readonly<Record<ModelFamily, FamilyRules>> = {
  llama: { ...common, architecture: 'LlamaForCausalLM', slidingWindow: 'never', feedForwardBias: 'by key' },
  mistral: {
    ...common,
    architecture: 'MistralForCausalLM',
    keyValueHeads: 8,
    slidingWindow: 'always',
    attentionBias: 'never',
  },
  qwen2: { ...common, architecture: 'Qwen2ForCausalLM', keyValueHeads: 32, attentionBias: 'always' },
  qwen3: {
    ...common,
    architecture: 'Qwen3ForCausalLM',
    keyValueHeads: 32,
    headWidth: 128,
    queryKeyNorm: true,
  },
  smollm3: {
    ...common,
    architecture: 'SmolLM3ForCausalLM',
    keyValueHeads: 4,
    ropeTheta: 2_000_000,
    tiedEmbeddings: true,
    feedForwardBias: 'by key',
    hasUnrotatedLayers: true,
  },
}
