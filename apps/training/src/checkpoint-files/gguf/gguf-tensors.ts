import { hasBias, linearNames, linearShape, type LinearName, tensorNames } from '../model-tensors.ts'
import type { ModelConfig } from '../model-config.ts'
import { architectureOf } from './gguf-architecture.ts'

/** A tensor of a model with its name in both layouts. */
export interface GgufName {
  name: string
  gguf: string
  /** [out, in] of a matrix, or [length]. */
  shape: readonly number[]
  /** Rows of a head, in a tensor whose rows llama.cpp has in another order; 0 in others. */
  interleaved: number
}

const linears: Readonly<Record<LinearName, string>> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
}

/** Every tensor of a model, in the order in which files have them. */
export function listGgufNames(config: ModelConfig): GgufName[] {
  const { width, headWidth, vocabularySize } = config
  const vector = (name: string, gguf: string, length = width): GgufName => ({ name, gguf, shape: [length], interleaved: 0 })
  const embedding = [vocabularySize, width]
  const layers = Array.from({ length: config.layers }, (_, layer) => [
    vector(tensorNames.attentionNorm(layer), `blk.${layer}.attn_norm.weight`),
    vector(tensorNames.feedForwardNorm(layer), `blk.${layer}.ffn_norm.weight`),
    ...(config.queryKeyNorm
      ? [
          vector(tensorNames.queryNorm(layer), `blk.${layer}.attn_q_norm.weight`, headWidth),
          vector(tensorNames.keyNorm(layer), `blk.${layer}.attn_k_norm.weight`, headWidth),
        ]
      : []),
    ...linearNames.flatMap((name) => listOfLinear(config, layer, name)),
  ])
  return [
    { name: tensorNames.embedding, gguf: 'token_embd.weight', shape: embedding, interleaved: 0 },
    vector(tensorNames.finalNorm, 'output_norm.weight'),
    ...(config.tiedEmbeddings ? [] : [{ name: tensorNames.head, gguf: 'output.weight', shape: embedding, interleaved: 0 }]),
    ...layers.flat(),
  ]
}

function listOfLinear(config: ModelConfig, layer: number, name: LinearName): GgufName[] {
  const [into, out] = linearShape(config, name)
  const isRotated = name === 'q_proj' || name === 'k_proj'
  const interleaved = isRotated && architectureOf(config).interleavesHeads ? config.headWidth : 0
  const gguf = `blk.${layer}.${linears[name]}`
  const weight = { name: tensorNames.linear(layer, name), gguf: `${gguf}.weight`, shape: [out, into], interleaved }
  const bias = { name: tensorNames.bias(layer, name), gguf: `${gguf}.bias`, shape: [out], interleaved }
  return hasBias(config, name) ? [weight, bias] : [weight]
}

type Numbers = Float32Array | Uint16Array

/**
 * Rotated pairs are neighbours in llama.cpp, and the halves of a head in the Hugging Face layout. @param order `interleave` for GGUF, `split` back
 * @param headRows rows of a head; `numbers` are whole heads
 */
export function reorderHeads<T extends Numbers>(
  numbers: T,
  order: 'interleave' | 'split',
  { headRows, columns }: { headRows: number; columns: number },
): T {
  const half = headRows / 2
  const result = numbers.slice() as T
  for (let row = 0; row < numbers.length / columns; row++) {
    const within = row % headRows
    const [pair, side] = [within >> 1, within & 1]
    const splitRow = row - within + side * half + pair
    const [from, to] = order === 'interleave' ? [splitRow, row] : [row, splitRow]
    result.set(numbers.subarray(from * columns, (from + 1) * columns), to * columns)
  }
  return result
}
