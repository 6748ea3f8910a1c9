import { parseModelConfig } from '../config-file.ts'
import type { ModelConfig, RotaryScaling } from '../model-config.ts'
import { ModelFileError } from '../model-file-error.ts'
import type { ModelFamily } from '../model-families.ts'
import type { GgufValue } from './read-gguf-header.ts'
import { rotaryFactors, rotaryFactorsName } from './rotary-factors.ts'

/** Families by `general.architecture`. A Mistral model is written as llama. */
const families: Readonly<Record<string, ModelFamily>> = { llama: 'llama', qwen2: 'qwen2', qwen3: 'qwen3', smollm3: 'smollm3' }

export interface GgufDescription {
  path: string
  values: ReadonlyMap<string, GgufValue>
  shapes: ReadonlyMap<string, readonly number[]>
  /** The numbers of a small tensor. */
  read(name: string): Float32Array
}

/** The shape of the model in a file. @throws ModelFileError naming the key that no model of its family has */
export function readGgufConfig({ path, values, shapes, read }: GgufDescription): ModelConfig {
  const architecture = values.get('general.architecture')
  const family = typeof architecture === 'string' && Object.hasOwn(families, architecture) ? families[architecture] : undefined
  if (!family) throw refusal('general.architecture', architecture, `taken: ${Object.keys(families).join(', ')}`)
  function refusal(key: string, value: GgufValue | undefined, rule: string): ModelFileError {
    const text = value === undefined ? 'missing' : typeof value === 'object' ? `a list of ${value.length}` : JSON.stringify(value)
    return new ModelFileError('unsupported', `"${key}" in ${path} is ${text.slice(0, 200)}; ${rule}`)
  }
  const own = (key: string) => values.get(`${family}.${key}`)
  const find = (key: string): number | undefined => {
    const value = own(key)
    if (value === undefined || typeof value === 'number') return value
    throw refusal(`${family}.${key}`, value, 'it must be a number')
  }
  const need = (key: string): number => find(key) ?? fail(refusal(`${family}.${key}`, undefined, 'it must be a number'))
  const only = (key: string, wanted: readonly GgufValue[]) => {
    const value = own(key)
    if (value !== undefined && !wanted.includes(value)) throw refusal(`${family}.${key}`, value, `taken: ${wanted.join(', ')}`)
  }
  const [width, heads] = [need('embedding_length'), need('attention.head_count')]
  const headWidth = find('attention.key_length') ?? width / heads
  only('expert_count', [0])
  only('rope.scaling.type', ['none'])
  only('rope.dimension_count', [headWidth])
  only('attention.value_length', [headWidth])
  const ropeTheta = find('rope.freq_base') ?? 10_000
  const config = {
    model_type: family,
    hidden_size: width,
    intermediate_size: need('feed_forward_length'),
    num_hidden_layers: need('block_count'),
    num_attention_heads: heads,
    num_key_value_heads: find('attention.head_count_kv') ?? heads,
    head_dim: headWidth,
    vocab_size: shapes.get('token_embd.weight')?.[0],
    max_position_embeddings: need('context_length'),
    rms_norm_eps: need('attention.layer_norm_rms_epsilon'),
    rope_theta: ropeTheta,
    tie_word_embeddings: !shapes.has('output.weight'),
    attention_bias: shapes.has('blk.0.attn_q.bias'),
    mlp_bias: shapes.has('blk.0.ffn_gate.bias'),
    sliding_window: find('attention.sliding_window'),
    use_sliding_window: own('attention.sliding_window') !== undefined,
  }
  const scaling = shapes.has(rotaryFactorsName) ? findScaling(read(rotaryFactorsName), { headWidth, ropeTheta }) : null
  if (scaling === undefined)
    throw new ModelFileError(
      'unsupported',
      `tensor "${rotaryFactorsName}" of ${path} has other numbers than the rotary scaling of Llama 3.1 to 3.3`,
    )
  return { ...parseModelConfig(config, path), ropeScaling: scaling }
}

function fail(error: Error): never {
  throw error
}

/** All published models of Llama 3.1 to 3.3 share these; only the factor differs. */
const published = { lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContextLength: 8_192 }
const tolerance = 1e-4

/** The scaling that has these divisors of the frequencies; undefined if none has. */
function findScaling(factors: Float32Array, config: Pick<ModelConfig, 'headWidth' | 'ropeTheta'>): RotaryScaling | undefined {
  const scaling = { ...published, factor: factors.at(-1) ?? Number.NaN }
  const expected = rotaryFactors(config, scaling)
  const isSame = expected.length === factors.length && expected.every((value, i) => Math.abs(value - factors[i]!) <= tolerance * value)
  return isSame ? scaling : undefined
}
