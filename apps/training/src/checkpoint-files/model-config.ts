import { join } from 'node:path'
import { z } from 'zod'
import { ModelFileError } from './model-file-error.ts'
import { readJsonFile } from './read-json-file.ts'

/** The shape of a Llama model: RMSNorm, rotary positions in half-split layout, grouped heads, SwiGLU, no bias. */
export interface ModelConfig {
  vocabularySize: number
  /** Width of the residual stream. */
  width: number
  layers: number
  heads: number
  /** Heads of keys and values, each shared by `heads / keyValueHeads` heads. */
  keyValueHeads: number
  headWidth: number
  feedForwardWidth: number
  /** Tokens of a sequence. */
  contextLength: number
  /** Base of the rotary frequencies. */
  ropeTheta: number
  normEpsilon: number
  /** Whether the embedding is the output projection as well. */
  tiedEmbeddings: boolean
}

const size = z.number().int().positive().max(1_000_000)

/** Contents of a Llama model's `config.json`; other keys do not affect the model's result. */
const ConfigFile = z.object({
  model_type: z.literal('llama'),
  hidden_size: size,
  intermediate_size: size,
  num_hidden_layers: size.max(1_000),
  num_attention_heads: size,
  num_key_value_heads: size.nullish(),
  head_dim: size.nullish(),
  vocab_size: size.max(1_000_000),
  max_position_embeddings: size,
  rms_norm_eps: z.number().positive().default(1e-6),
  rope_theta: z.number().positive().nullish(),
  rope_scaling: z.null({ error: 'scaled rotary positions are not supported' }).optional(),
  rope_parameters: z.object({ rope_theta: z.number().positive(), rope_type: z.literal('default').optional() }).nullish(),
  tie_word_embeddings: z.boolean().default(false),
  hidden_act: z.literal('silu').default('silu'),
  attention_bias: z.literal(false).default(false),
  mlp_bias: z.literal(false).default(false),
})

/** @throws ModelFileError naming the key that no Llama model has, or whose value is not supported */
export function readModelConfig(folder: string): ModelConfig {
  const path = join(folder, 'config.json')
  return parseModelConfig(readJsonFile(path), path)
}

export function parseModelConfig(value: unknown, path: string): ModelConfig {
  const parsed = ConfigFile.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const key = issue?.path.join('.') ?? ''
    throw new ModelFileError('unsupported', `"${key}" in ${path} does not fit a Llama model: ${issue?.message ?? 'it has the wrong type'}`)
  }
  const file = parsed.data
  const config: ModelConfig = {
    vocabularySize: file.vocab_size,
    width: file.hidden_size,
    layers: file.num_hidden_layers,
    heads: file.num_attention_heads,
    keyValueHeads: file.num_key_value_heads ?? file.num_attention_heads,
    headWidth: file.head_dim ?? file.hidden_size / file.num_attention_heads,
    feedForwardWidth: file.intermediate_size,
    contextLength: file.max_position_embeddings,
    ropeTheta: file.rope_parameters?.rope_theta ?? file.rope_theta ?? 10_000,
    normEpsilon: file.rms_norm_eps,
    tiedEmbeddings: file.tie_word_embeddings,
  }
  checkWidths(config, path)
  return config
}

/** The kernels work on eight numbers at a time. */
function checkWidths(config: ModelConfig, path: string): void {
  const refuse = (key: string, value: number, rule: string) => {
    throw new ModelFileError('unsupported', `"${key}" in ${path} is ${value}; it must be ${rule}`)
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
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
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
    tie_word_embeddings: config.tiedEmbeddings,
    hidden_act: 'silu',
    attention_bias: false,
    mlp_bias: false,
    torch_dtype: 'float32',
  }
}

/** Weights of the model, without those of adapters. */
export function countParameters(config: ModelConfig): number {
  const { width, heads, keyValueHeads, headWidth, feedForwardWidth } = config
  const attention = 2 * width * headWidth * (heads + keyValueHeads)
  const layer = attention + 3 * width * feedForwardWidth + 2 * width
  const embeddings = config.vocabularySize * width * (config.tiedEmbeddings ? 1 : 2)
  return embeddings + config.layers * layer + width
}
