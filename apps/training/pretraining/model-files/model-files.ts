import { chatTemplate } from './chat-template.ts'
import { specialTokenId, vocabularySize } from './special-tokens.ts'
import { tokenizerJson } from './tokenizer-json.ts'

/** The size of a base model of ours. */
export interface ModelShape {
  hiddenSize: number
  layers: number
  heads: number
  intermediateSize: number
  /** Tokens of prompt and completion together. */
  contextLength: number
}

export const modelShapes: Readonly<Record<string, ModelShape>> = {
  'heddle-nano': { hiddenSize: 64, layers: 2, heads: 4, intermediateSize: 192, contextLength: 256 },
  'heddle-micro': { hiddenSize: 128, layers: 4, heads: 4, intermediateSize: 384, contextLength: 512 },
}

function configJson(shape: ModelShape): object {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: vocabularySize,
    hidden_size: shape.hiddenSize,
    intermediate_size: shape.intermediateSize,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.heads,
    head_dim: shape.hiddenSize / shape.heads,
    max_position_embeddings: shape.contextLength,
    hidden_act: 'silu',
    rms_norm_eps: 1e-5,
    rope_theta: 10_000,
    rope_scaling: null,
    attention_bias: false,
    mlp_bias: false,
    attention_dropout: 0,
    initializer_range: 0.02,
    tie_word_embeddings: true,
    bos_token_id: null,
    eos_token_id: specialTokenId('<|im_end|>'),
    pad_token_id: specialTokenId('<|endoftext|>'),
    torch_dtype: 'float32',
    use_cache: true,
  }
}

function tokenizerConfigJson(shape: ModelShape): object {
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: shape.contextLength,
    add_prefix_space: false,
    clean_up_tokenization_spaces: false,
    bos_token: null,
    eos_token: '<|im_end|>',
    pad_token: '<|endoftext|>',
    unk_token: null,
    chat_template: chatTemplate,
  }
}

function generationConfigJson(): object {
  return {
    do_sample: true,
    temperature: 1,
    eos_token_id: [specialTokenId('<|im_end|>'), specialTokenId('<|endoftext|>')],
    pad_token_id: specialTokenId('<|endoftext|>'),
  }
}

/** The files of a base model except its weights, in the Hugging Face layout: name → text. */
export function modelFiles(shape: ModelShape): Record<string, string> {
  const files = {
    'config.json': configJson(shape),
    'tokenizer.json': tokenizerJson(),
    'tokenizer_config.json': tokenizerConfigJson(shape),
    'generation_config.json': generationConfigJson(),
  }
  return Object.fromEntries(Object.entries(files).map(([name, value]) => [name, `${JSON.stringify(value, null, 2)}\n`]))
}
