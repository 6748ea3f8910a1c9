import { expect, test } from 'vitest'
import { parseModelConfig, toConfigFile } from './config-file.ts'

const valid = {
  model_type: 'llama',
  hidden_size: 64,
  intermediate_size: 192,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 512,
  max_position_embeddings: 8_192,
}
const llama3 = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 1_024 }
const parse = (change: Record<string, unknown>) => parseModelConfig({ ...valid, ...change }, 'config.json')

test.each([
  ['llama', { ropeTheta: 10_000, tiedEmbeddings: false, headWidth: 16, unrotatedLayers: [], queryKeyNorm: false, contextLength: 8_192 }],
  ['mistral', { ropeTheta: 10_000, tiedEmbeddings: false, headWidth: 16, unrotatedLayers: [], queryKeyNorm: false, contextLength: 4_096 }],
  ['qwen2', { ropeTheta: 10_000, tiedEmbeddings: false, headWidth: 16, unrotatedLayers: [], queryKeyNorm: false, contextLength: 8_192 }],
  ['qwen3', { ropeTheta: 10_000, tiedEmbeddings: false, headWidth: 128, unrotatedLayers: [], queryKeyNorm: true, contextLength: 8_192 }],
  ['smollm3', { ropeTheta: 2e6, tiedEmbeddings: true, headWidth: 16, unrotatedLayers: [3], queryKeyNorm: false, contextLength: 8_192 }],
])('what is left out has the defaults of %s', (model_type, expected) => {
  const config = parse({ model_type })
  expect(config).toMatchObject({ family: model_type, ...expected, normEpsilon: 1e-6, ropeScaling: null })
  expect(parseModelConfig(toConfigFile(config), 'config.json')).toEqual(config)
})

const none = { queriesKeysValues: false, attentionOutput: false, feedForward: false }
test.each([
  ['llama', { ...none }, {}],
  ['llama', { ...none, queriesKeysValues: true, attentionOutput: true }, { attention_bias: true }],
  ['llama', { ...none, feedForward: true }, { mlp_bias: true }],
  ['mistral', none, { attention_bias: true }],
  ['qwen2', { ...none, queriesKeysValues: true }, { attention_bias: false }],
  ['qwen3', { ...none, queriesKeysValues: true, attentionOutput: true }, { attention_bias: true, mlp_bias: true }],
])('%s has the biases %o with %o', (model_type, biases, change) => {
  expect(parse({ model_type, ...change }).biases).toEqual(biases)
})

test.each([
  [{ rope_scaling: llama3 }],
  [{ rope_scaling: { ...llama3, rope_type: undefined, type: 'llama3' } }],
  [{ rope_parameters: { ...llama3, rope_theta: 10_000 } }],
])('the scaling of Llama 3.1 is read from %j', (change) => {
  const ropeScaling = { factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContextLength: 1_024 }
  const config = parse(change)
  expect(config).toMatchObject({ ropeScaling, ropeTheta: 10_000 })
  expect(parseModelConfig(toConfigFile(config), 'config.json')).toEqual(config)
})

test.each([
  ['mistral', { sliding_window: 512 }, 512],
  ['mistral', { sliding_window: null }, 8_192],
  ['mistral', { sliding_window: 32_768 }, 8_192],
  ['qwen2', { sliding_window: 512 }, 8_192],
  ['qwen2', { sliding_window: 512, use_sliding_window: true }, 512],
  ['qwen3', { sliding_window: 512, use_sliding_window: true, layer_types: Array(4).fill('full_attention') }, 8_192],
  ['llama', { sliding_window: 512, use_sliding_window: true }, 8_192],
])('a window ends the context of %s with %o at %i tokens, where it hides nothing yet', (model_type, change, contextLength) => {
  expect(parse({ model_type, ...change }).contextLength).toBe(contextLength)
})

test('layers without rotation are those that the list of a SmolLM3 marks with 0', () => {
  expect(parse({ model_type: 'smollm3', no_rope_layers: [0, 1, 0, 1] }).unrotatedLayers).toEqual([0, 2])
  expect(parse({ model_type: 'smollm3', no_rope_layer_interval: 2 }).unrotatedLayers).toEqual([1, 3])
  expect(parse({ model_type: 'qwen3', no_rope_layers: [0, 1, 0, 1] }).unrotatedLayers).toEqual([])
})

test.each([
  [{ model_type: 'gemma2' }, '"model_type" in config.json is "gemma2"; taken: "llama", "mistral", "qwen2", "qwen3", "smollm3"'],
  [{ model_type: undefined }, '"model_type" in config.json is missing'],
  [{ rope_scaling: { type: 'linear', factor: 2 } }, '"rope_scaling.type" in config.json is "linear"; taken: "default", "llama3"'],
  [{ rope_parameters: { rope_theta: 1e4, rope_type: 'yarn' } }, '"rope_parameters.rope_type" in config.json is "yarn"'],
  [{ rope_parameters: { full_attention: { rope_theta: 1e4 } } }, '"rope_parameters.rope_theta" in config.json is missing'],
  [{ rope_parameters: { rope_theta: 1e4, rope_type: 'llama3' } }, '"rope_parameters.factor" in config.json is missing'],
  [{ rope_scaling: { factor: 2 } }, '"rope_scaling" in config.json has no "rope_type"'],
  [{ rope_scaling: { ...llama3, high_freq_factor: 1 } }, '"rope_scaling.high_freq_factor" in config.json is 1; it must be above'],
  [{ partial_rotary_factor: 0.5 }, '"partial_rotary_factor" in config.json is 0.5; taken: 1'],
  [
    { quantization_config: { quant_method: 'gptq' } },
    '"quantization_config" in config.json is {"quant_method":"gptq"}; weights are taken in F32',
  ],
  [{ model_type: 'smollm3', no_rope_layers: [1, 0] }, '"no_rope_layers" in config.json has 2 entries; it must have one for each of the 4'],
  [
    { model_type: 'qwen2', layer_types: ['linear_attention'] },
    '"layer_types.0" in config.json is "linear_attention"; taken: "full_attention"',
  ],
  [{ use_mrope: true }, '"use_mrope" in config.json is true; taken: false'],
  [{ hidden_act: 'gelu' }, '"hidden_act" in config.json is "gelu"; taken: "silu"'],
  [{ hidden_size: 60, head_dim: 16 }, '"hidden_size" in config.json is 60; it must be a multiple of 8'],
  [{ intermediate_size: 190 }, '"intermediate_size" in config.json is 190'],
  [{ head_dim: 12 }, '"head_dim" in config.json is 12'],
  [{ num_key_value_heads: 3 }, '"num_key_value_heads" in config.json is 3'],
  [{ vocab_size: '512' }, '"vocab_size" in config.json is "512"'],
  [{ num_hidden_layers: 1e9 }, '"num_hidden_layers" in config.json is 1000000000'],
  [{ max_position_embeddings: 1e9 }, '"max_position_embeddings" in config.json is 1000000000'],
])('%j is refused by its key, with the value and what is taken', (change, message) => {
  expect(() => parse(change)).toThrow(message)
})
