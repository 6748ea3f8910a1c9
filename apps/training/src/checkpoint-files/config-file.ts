import { z } from 'zod'
import type { Biases, ModelConfig, RotaryScaling } from './model-config.ts'
import { ModelFileError } from './model-file-error.ts'
import { defaultWindow, familyRules, modelFamilies } from './model-families.ts'

const size = z.number().int().positive().max(1_000_000)
const positive = z.number().positive()

/** As older files (`rope_scaling`) and newer ones (`rope_parameters`) describe the rotary positions. */
const Rotation = z.looseObject({
  rope_type: z.enum(['default', 'llama3']).optional(),
  type: z.enum(['default', 'llama3']).optional(),
  rope_theta: positive.optional(),
  partial_rotary_factor: z.literal(1).nullish(),
  factor: positive.optional(),
  low_freq_factor: positive.optional(),
  high_freq_factor: positive.optional(),
  original_max_position_embeddings: size.optional(),
})
type Rotation = z.output<typeof Rotation>

/** Contents of a model's `config.json`; other keys do not affect the model's result. */
const ConfigFile = z.object({
  model_type: z.enum(modelFamilies),
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size.max(1_000),
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  vocab_size: size,
  max_position_embeddings: size,
  rms_norm_eps: positive.default(1e-6),
  rope_theta: positive.nullish(),
  rope_scaling: Rotation.nullish(),
  rope_parameters: Rotation.extend({ rope_theta: positive }).nullish(),
  partial_rotary_factor: z.literal(1).nullish(),
  tie_word_embeddings: z.boolean().optional(),
  hidden_act: z.literal('silu').default('silu'),
  attention_bias: z.boolean().default(false),
  mlp_bias: z.boolean().default(false),
  sliding_window: size.nullish(),
  use_sliding_window: z.boolean().default(false),
  layer_types: z.array(z.enum(['full_attention', 'sliding_attention'])).nullish(),
  use_mrope: z.literal(false).nullish(),
  no_rope_layers: z.array(z.union([z.literal(0), z.literal(1)])).nullish(),
  no_rope_layer_interval: size.default(4),
  quantization_config: z.null().optional(),
})
type ConfigFile = z.output<typeof ConfigFile>

/** @throws ModelFileError naming the key that no model of its family has, or whose value is not taken */
export function parseModelConfig(value: unknown, path: string): ModelConfig {
  const parsed = ConfigFile.safeParse(value)
  if (!parsed.success) throw refusal(parsed.error.issues[0]!, value, path)
  const file = parsed.data
  const rules = familyRules[file.model_type]
  const config: ModelConfig = {
    family: file.model_type,
    vocabularySize: file.vocab_size,
    width: file.hidden_size,
    layers: file.num_hidden_layers,
    heads: file.num_attention_heads,
    // Written as null, they are as many as the heads; left out, as many as the family has.
    keyValueHeads: file.num_key_value_heads ?? (file.num_key_value_heads === null ? null : rules.keyValueHeads) ?? file.num_attention_heads,
    headWidth: file.head_dim ?? rules.headWidth ?? file.hidden_size / file.num_attention_heads,
    feedForwardWidth: file.intermediate_size,
    contextLength: Math.min(file.max_position_embeddings, windowOf(file) ?? Infinity),
    ropeTheta: file.rope_parameters?.rope_theta ?? file.rope_theta ?? rules.ropeTheta,
    ropeScaling: scalingOf(file, path),
    normEpsilon: file.rms_norm_eps,
    tiedEmbeddings: file.tie_word_embeddings ?? rules.tiedEmbeddings,
    biases: biasesOf(file),
    queryKeyNorm: rules.queryKeyNorm,
    unrotatedLayers: rules.hasUnrotatedLayers ? unrotatedLayersOf(file, path) : [],
  }
  checkWidths(config, path)
  return config
}

type Issue = z.core.$ZodIssue

function refusal(issue: Issue, value: unknown, path: string): ModelFileError {
  const key = issue.path.join('.')
  const found = issue.path.reduce<unknown>((at, name) => (at as Record<PropertyKey, unknown> | undefined)?.[name], value)
  const text = found === undefined ? 'missing' : JSON.stringify(found).slice(0, 200)
  return unsupported(`"${key}" in ${path} is ${text}; ${takenBy(issue)}`)
}

function takenBy(issue: Issue): string {
  if (issue.path.at(-1) === 'quantization_config') return 'weights are taken in F32, BF16 and F16 alone: leave the key out if they are'
  if (issue.code === 'invalid_value') return `taken: ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  return issue.message
}

const unsupported = (message: string) => new ModelFileError('unsupported', message)

/** Tokens that the attention of some layer reaches back; null if all see the whole context. */
function windowOf(file: ConfigFile): number | null {
  const { slidingWindow } = familyRules[file.model_type]
  if (slidingWindow === 'never') return null
  if (slidingWindow === 'by key' && (!file.use_sliding_window || file.layer_types?.includes('sliding_attention') === false)) return null
  return file.sliding_window === undefined ? defaultWindow : file.sliding_window
}

function scalingOf(file: ConfigFile, path: string): RotaryScaling | null {
  const [key, rotation] = file.rope_parameters
    ? (['rope_parameters', file.rope_parameters] as const)
    : (['rope_scaling', file.rope_scaling ?? {}] as const)
  if ((rotation.rope_type ?? rotation.type ?? 'default') === 'default') {
    if (key === 'rope_scaling' && rotation.factor !== undefined) throw unsupported(`"rope_scaling" in ${path} has no "rope_type"`)
    return null
  }
  const need = (name: 'factor' | 'low_freq_factor' | 'high_freq_factor' | 'original_max_position_embeddings'): number => {
    const value = (rotation as Rotation)[name]
    if (value === undefined) throw unsupported(`"${key}.${name}" in ${path} is missing; the rotary scaling "llama3" needs it`)
    return value
  }
  const scaling: RotaryScaling = {
    factor: need('factor'),
    lowFrequencyFactor: need('low_freq_factor'),
    highFrequencyFactor: need('high_freq_factor'),
    originalContextLength: need('original_max_position_embeddings'),
  }
  if (scaling.highFrequencyFactor <= scaling.lowFrequencyFactor) {
    throw unsupported(
      `"${key}.high_freq_factor" in ${path} is ${scaling.highFrequencyFactor}; it must be above low_freq_factor, ${scaling.lowFrequencyFactor}`,
    )
  }
  return scaling
}

function biasesOf(file: ConfigFile): Biases {
  const { attentionBias, feedForwardBias } = familyRules[file.model_type]
  const byKey = attentionBias === 'by key' && file.attention_bias
  return {
    queriesKeysValues: attentionBias === 'always' || byKey,
    attentionOutput: byKey,
    feedForward: feedForwardBias === 'by key' && file.mlp_bias,
  }
}

/** In `no_rope_layers` a 0 means a layer without rotation; by default it is the last one of each interval. */
function unrotatedLayersOf(file: ConfigFile, path: string): number[] {
  const { no_rope_layers: given, no_rope_layer_interval: interval, num_hidden_layers: layers } = file
  if (given && given.length !== layers) {
    throw unsupported(`"no_rope_layers" in ${path} has ${given.length} entries; it must have one for each of the ${layers} layers`)
  }
  const isUnrotated = (layer: number) => (given ? given[layer] === 0 : (layer + 1) % interval === 0)
  return [...Array(layers).keys()].filter(isUnrotated)
}

/** The kernels work on eight numbers at a time. */
function checkWidths(config: ModelConfig, path: string): void {
  const refuse = (key: string, value: number, rule: string) => {
    throw unsupported(`"${key}" in ${path} is ${value}; it must be ${rule}`)
  }
  if (config.width % 8 > 0) refuse('hidden_size', config.width, 'a multiple of 8')
  if (config.feedForwardWidth % 8 > 0) refuse('intermediate_size', config.feedForwardWidth, 'a multiple of 8')
  if (config.headWidth % 8 > 0) refuse('head_dim', config.headWidth, 'a multiple of 8 (by default hidden_size / num_attention_heads)')
  if (config.heads % config.keyValueHeads > 0) {
    refuse('num_key_value_heads', config.keyValueHeads, `a divisor of num_attention_heads, ${config.heads}`)
  }
}

/** The content of `config.json`, as other tools read it. */
export function toConfigFile(config: ModelConfig): Record<string, unknown> {
  const { family, ropeScaling, biases } = config
  const rules = familyRules[family]
  return {
    architectures: [rules.architecture],
    model_type: family,
    hidden_size: config.width,
    intermediate_size: config.feedForwardWidth,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headWidth,
    vocab_size: config.vocabularySize,
    max_position_embeddings: config.contextLength,
    rms_norm_eps: config.normEpsilon,
    rope_theta: config.ropeTheta,
    ...(ropeScaling && { rope_scaling: toRotaryScaling(ropeScaling) }),
    tie_word_embeddings: config.tiedEmbeddings,
    hidden_act: 'silu',
    attention_bias: biases.attentionOutput,
    mlp_bias: biases.feedForward,
    ...(rules.slidingWindow === 'always' && { sliding_window: null }),
    ...(rules.hasUnrotatedLayers && {
      no_rope_layers: Array.from({ length: config.layers }, (_, layer) => (config.unrotatedLayers.includes(layer) ? 0 : 1)),
    }),
    torch_dtype: 'float32',
  }
}

function toRotaryScaling(scaling: RotaryScaling): Record<string, unknown> {
  return {
    rope_type: 'llama3',
    factor: scaling.factor,
    low_freq_factor: scaling.lowFrequencyFactor,
    high_freq_factor: scaling.highFrequencyFactor,
    original_max_position_embeddings: scaling.originalContextLength,
  }
}
