import { writeFileSync } from 'node:fs'
import { type ModelConfig, openTensorFiles } from '@heddle/training/testing'

const types = { u32: 4, f32: 6, text: 8, list: 9, i32: 5 } as const
const alignment = 32

/** Bytes one after the other, as GGUF has its numbers and texts: little-endian, texts after their lengths. */
function createWriter() {
  const parts: Buffer[] = []
  const number = (size: number, write: (into: Buffer) => void) => {
    const bytes = Buffer.alloc(size)
    write(bytes)
    parts.push(bytes)
  }
  const writer = {
    u32: (value: number) => number(4, (into) => into.writeUInt32LE(value)),
    i32: (value: number) => number(4, (into) => into.writeInt32LE(value)),
    f32: (value: number) => number(4, (into) => into.writeFloatLE(value)),
    u64: (value: number) => number(8, (into) => into.writeBigUInt64LE(BigInt(value))),
    text(value: string) {
      writer.u64(Buffer.byteLength(value))
      parts.push(Buffer.from(value))
    },
    align() {
      const length = parts.reduce((sum, part) => sum + part.length, 0)
      parts.push(Buffer.alloc((alignment - (length % alignment)) % alignment))
    },
    bytes: () => Buffer.concat(parts),
  }
  return writer
}

type Fact =
  | [key: string, type: 'u32' | 'f32' | 'text', value: number | string]
  | [key: string, type: 'list', of: 'text' | 'f32' | 'i32', values: readonly (string | number)[]]

function factsOf(config: ModelConfig): Fact[] {
  const ids = Array.from({ length: config.vocabularySize }, (_, id) => id)
  const nameOf = (id: number) => (id < 256 ? `<0x${id.toString(16).toUpperCase().padStart(2, '0')}>` : `<token ${id}>`)
  return [
    ['general.architecture', 'text', 'llama'],
    ['general.name', 'text', 'heddle'],
    ['general.alignment', 'u32', alignment],
    ['llama.vocab_size', 'u32', config.vocabularySize],
    ['llama.context_length', 'u32', config.contextLength],
    ['llama.embedding_length', 'u32', config.width],
    ['llama.block_count', 'u32', config.layers],
    ['llama.feed_forward_length', 'u32', config.feedForwardWidth],
    ['llama.attention.head_count', 'u32', config.heads],
    ['llama.attention.head_count_kv', 'u32', config.keyValueHeads],
    ['llama.attention.key_length', 'u32', config.headWidth],
    ['llama.attention.value_length', 'u32', config.headWidth],
    ['llama.attention.layer_norm_rms_epsilon', 'f32', config.normEpsilon],
    ['llama.rope.dimension_count', 'u32', config.headWidth],
    ['llama.rope.freq_base', 'f32', config.ropeTheta],
    ['tokenizer.ggml.model', 'text', 'llama'],
    ['tokenizer.ggml.tokens', 'list', 'text', ids.map(nameOf)],
    ['tokenizer.ggml.scores', 'list', 'f32', ids.map(() => 0)],
    // Bytes, and then control tokens.
    ['tokenizer.ggml.token_type', 'list', 'i32', ids.map((id) => (id < 256 ? 6 : 3))],
    ['tokenizer.ggml.bos_token_id', 'u32', 256],
    ['tokenizer.ggml.eos_token_id', 'u32', 257],
    ['tokenizer.ggml.unknown_token_id', 'u32', 256],
  ]
}

interface GgufTensor {
  name: string
  /** The innermost dimension first. */
  dimensions: readonly number[]
  data: Float32Array
}

const linears = [
  ['self_attn.q_proj', 'attn_q'],
  ['self_attn.k_proj', 'attn_k'],
  ['self_attn.v_proj', 'attn_v'],
  ['self_attn.o_proj', 'attn_output'],
  ['mlp.gate_proj', 'ffn_gate'],
  ['mlp.up_proj', 'ffn_up'],
  ['mlp.down_proj', 'ffn_down'],
] as const

function shapeOf(
  name: (typeof linears)[number][0],
  { width, heads, keyValueHeads, headWidth, feedForwardWidth }: ModelConfig,
): [number, number] {
  if (name === 'self_attn.q_proj') return [heads * headWidth, width]
  if (name === 'self_attn.o_proj') return [width, heads * headWidth]
  if (name === 'mlp.down_proj') return [width, feedForwardWidth]
  return name.startsWith('mlp') ? [feedForwardWidth, width] : [keyValueHeads * headWidth, width]
}

/** llama.cpp rotates neighbouring numbers, files in the Hugging Face layout have the halves of a head one after the other. */
function interleaveHeads(data: Float32Array, [out, into]: [number, number], headWidth: number): Float32Array {
  const half = headWidth / 2
  const result = new Float32Array(data.length)
  for (let row = 0; row < out; row++) {
    const within = row % headWidth
    const from = row - within + (within % 2) * half + Math.floor(within / 2)
    result.set(data.subarray(from * into, (from + 1) * into), row * into)
  }
  return result
}

function tensorsOf(folder: string, config: ModelConfig): GgufTensor[] {
  const files = openTensorFiles(folder, 'model')
  const vector = (from: string, name: string): GgufTensor => ({ name, dimensions: [config.width], data: files.read(from, [config.width]) })
  const embedding = [config.vocabularySize, config.width]
  const layers = Array.from({ length: config.layers }, (_, layer) => [
    vector(`model.layers.${layer}.input_layernorm.weight`, `blk.${layer}.attn_norm.weight`),
    vector(`model.layers.${layer}.post_attention_layernorm.weight`, `blk.${layer}.ffn_norm.weight`),
    ...linears.map(([from, name]): GgufTensor => {
      const shape = shapeOf(from, config)
      const data = files.read(`model.layers.${layer}.${from}.weight`, shape)
      const isRotated = name === 'attn_q' || name === 'attn_k'
      return {
        name: `blk.${layer}.${name}.weight`,
        dimensions: shape.toReversed(),
        data: isRotated ? interleaveHeads(data, shape, config.headWidth) : data,
      }
    }),
  ])
  const all = [
    { name: 'token_embd.weight', dimensions: embedding.toReversed(), data: files.read('model.embed_tokens.weight', embedding) },
    vector('model.norm.weight', 'output_norm.weight'),
    ...layers.flat(),
  ]
  files.close()
  return all
}

/** Writes a model of a folder in the Hugging Face layout, with tied embeddings, as llama.cpp loads it: in F32, with a vocabulary of bytes. */
export function writeGguf(path: string, folder: string, config: ModelConfig): void {
  const tensors = tensorsOf(folder, config)
  const facts = factsOf(config)
  const head = createWriter()
  head.u32(0x46554747)
  head.u32(3)
  head.u64(tensors.length)
  head.u64(facts.length)
  for (const fact of facts) {
    head.text(fact[0])
    head.u32(types[fact[1]])
    if (fact[1] !== 'list') head[fact[1]](fact[2] as never)
    else {
      head.u32(types[fact[2]])
      head.u64(fact[3].length)
      for (const value of fact[3]) head[fact[2]](value as never)
    }
  }
  let offset = 0
  for (const { name, dimensions, data } of tensors) {
    head.text(name)
    head.u32(dimensions.length)
    for (const size of dimensions) head.u64(size)
    head.u32(0)
    head.u64(offset)
    offset += Math.ceil(data.byteLength / alignment) * alignment
  }
  head.align()
  const body = tensors.map(({ data }) => {
    const bytes = Buffer.alloc(Math.ceil(data.byteLength / alignment) * alignment)
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    return bytes
  })
  writeFileSync(path, Buffer.concat([head.bytes(), ...body]))
}
