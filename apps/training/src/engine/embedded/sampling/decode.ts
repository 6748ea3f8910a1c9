import type { LinearName } from '../../../checkpoint-files/llama-tensors.ts'
import type { Area } from '../kernels/area.ts'
import type { KernelView } from '../kernels/kernel-view.ts'
import type { Address } from '../kernels/kernels.ts'
import type { LayerParameters, ModelParameters } from '../model/parameters.ts'
import { forwardLinear, multiply } from '../passes/linear.ts'
import { type KeyValueCache, keysOf, valuesOf } from './key-value-cache.ts'

/** A token to run through the model. Earlier tokens of its sequence are in the cache, or rows before this one. */
export interface DecodeRow {
  cache: KeyValueCache
  token: number
  position: number
  /** Whether the logits of the next token are wanted. */
  predicts: boolean
}

/** Memory for `maxRows` rows at a time. */
export interface DecodeWork {
  maxRows: number
  tokens: Address
  predicting: Address
  residual: Address
  normed: Address
  inverse: Address
  queries: Address
  keys: Address
  values: Address
  attended: Address
  gate: Address
  up: Address
  adapted: Address
  scores: Address
  logits: Address
}

export function layOutDecoding({ config, head, layers }: ModelParameters, maxRows: number, area: Area): DecodeWork {
  const queries = maxRows * config.heads * config.headWidth
  const keys = maxRows * config.keyValueHeads * config.headWidth
  return {
    maxRows,
    tokens: area.take(maxRows),
    predicting: area.take(maxRows),
    residual: area.take(maxRows * config.width),
    normed: area.take(maxRows * config.width),
    inverse: area.take(maxRows),
    queries: area.take(queries),
    keys: area.take(keys),
    values: area.take(keys),
    attended: area.take(queries),
    gate: area.take(maxRows * config.feedForwardWidth),
    up: area.take(maxRows * config.feedForwardWidth),
    adapted: area.take(maxRows * (layers[0]?.linears.q_proj.adapter?.a.columns ?? 0)),
    scores: area.take(config.contextLength + 8),
    logits: area.take(maxRows * head.columns),
  }
}

interface Decoding {
  view: KernelView
  model: ModelParameters
  work: DecodeWork
  rows: readonly DecodeRow[]
}

/**
 * Runs rows through the model and adds them to their caches. Returns the logits of those that predict, in order, as views that the next call overwrites. What a row
 * gives does not depend on the other sequences, to the bit.
 */
export function decode(decoding: Decoding): Float32Array[] {
  const { view, model, work, rows } = decoding
  const { width } = model.config
  view.integers(work.tokens, rows.length).set(rows.map(({ token }) => token))
  view.kernels.gatherColumns(model.embedding.address, width, work.tokens, rows.length, work.residual)
  for (const [index, layer] of model.layers.entries()) decodeLayer(decoding, layer, index)
  return predict(decoding)
}

function decodeLayer({ view, model, work, rows }: Decoding, layer: LayerParameters, index: number): void {
  const { kernels } = view
  const { config } = model
  const linear = (name: LinearName, x: Address, y: Address, accumulate: 0 | 1 = 0) =>
    forwardLinear(
      kernels,
      { linear: layer.linears[name], factor: model.adapterFactor, x, rows: rows.length, adapted: work.adapted },
      y,
      accumulate,
    )
  const norm = (weight: Address) =>
    kernels.rmsNorm(work.residual, weight, work.normed, work.inverse, rows.length, config.width, config.normEpsilon)

  norm(layer.attentionNorm.address)
  linear('q_proj', work.normed, work.queries)
  linear('k_proj', work.normed, work.keys)
  linear('v_proj', work.normed, work.values)
  for (const [row, use] of rows.entries()) attend({ view, model, work, rows }, { row, use, layer: index })
  linear('o_proj', work.attended, work.residual, 1)

  norm(layer.feedForwardNorm.address)
  linear('gate_proj', work.normed, work.gate)
  linear('up_proj', work.normed, work.up)
  kernels.swiglu(work.gate, work.up, work.gate, rows.length * config.feedForwardWidth)
  linear('down_proj', work.gate, work.residual, 1)
}

/** Adds one row to its cache, and attends from it to what is there. */
function attend({ view, model, work }: Decoding, { row, use, layer }: { row: number; use: DecodeRow; layer: number }): void {
  const { kernels } = view
  const { config, cosines, sines } = model
  const { heads, keyValueHeads, headWidth } = config
  const queryRow = heads * headWidth
  const keyRow = keyValueHeads * headWidth
  const { cache, position } = use
  const query = work.queries + row * queryRow * 4
  const key = work.keys + row * keyRow * 4
  kernels.rotate(query, queryRow, 1, heads, headWidth, cosines, sines, position, 1)
  kernels.rotate(key, keyRow, 1, keyValueHeads, headWidth, cosines, sines, position, 1)
  const keys = keysOf(config, cache, layer)
  const values = valuesOf(config, cache, layer)
  kernels.copy(key, keyRow, keys + position * keyRow * 4)
  kernels.copy(work.values + row * keyRow * 4, keyRow, values + position * keyRow * 4)
  kernels.attentionOfOne(
    ...([query, keys, values, work.attended + row * queryRow * 4] as const),
    ...([position + 1, heads, keyValueHeads, headWidth, 1 / Math.sqrt(headWidth), work.scores] as const),
  )
}

function predict({ view, model, work, rows }: Decoding): Float32Array[] {
  const { kernels } = view
  const { width, normEpsilon, vocabularySize } = model.config
  const { columns } = model.head
  const predicting = [...rows.keys()].filter((row) => rows[row]!.predicts)
  if (predicting.length === 0) return []
  view.integers(work.predicting, predicting.length).set(predicting)
  kernels.gatherRows(work.residual, width, work.predicting, predicting.length, work.normed)
  kernels.rmsNorm(work.normed, model.finalNorm.address, work.normed, work.inverse, predicting.length, width, normEpsilon)
  multiply(kernels, work.normed, predicting.length, model.head, work.logits, 0)
  return predicting.map((_, index) => view.floats(work.logits + index * columns * 4, vocabularySize))
}
