import type { ModelConfig } from '../../../checkpoint-files/model-config.ts'
import type { LinearName } from '../../../checkpoint-files/model-tensors.ts'
import type { Arena } from '../kernels/arena.ts'
import type { KernelView } from '../kernels/kernel-view.ts'
import type { Address } from '../kernels/kernels.ts'
import { type LayerParameters, type ModelParameters, padded, type Parameter, rankOf } from '../model/parameters.ts'
import { embed, forwardLinear, multiply } from '../passes/linear.ts'
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
export interface DecodeBuffers {
  maxRows: number
  tokens: Address // (maxRows), integers
  predicting: Address // (maxRows), integers
  residual: Address // (maxRows, width)
  normed: Address // (maxRows, width)
  inverse: Address // (maxRows, heads)
  queries: Address // (maxRows, heads x headWidth)
  keys: Address // (maxRows, keyValueHeads x headWidth)
  values: Address // (maxRows, keyValueHeads x headWidth)
  attended: Address // (maxRows, heads x headWidth)
  gate: Address // (maxRows, feedForwardWidth)
  up: Address // (maxRows, feedForwardWidth)
  adapted: Address // (maxRows, rank)
  /** Attention scores of some rows at a time. */
  scores: Address // (scoreRows, padded contextLength + 1)
  logits: Address // (maxRows, padded vocabulary)
}

export function allocateDecodeBuffers({ config, head, layers }: ModelParameters, maxRows: number, arena: Arena): DecodeBuffers {
  const queries = maxRows * config.heads * config.headWidth
  const keys = maxRows * config.keyValueHeads * config.headWidth
  return {
    maxRows,
    tokens: arena.alloc(maxRows),
    predicting: arena.alloc(maxRows),
    residual: arena.alloc(maxRows * config.width),
    normed: arena.alloc(maxRows * config.width),
    inverse: arena.alloc(maxRows * config.heads),
    queries: arena.alloc(queries),
    keys: arena.alloc(keys),
    values: arena.alloc(keys),
    attended: arena.alloc(queries),
    gate: arena.alloc(maxRows * config.feedForwardWidth),
    up: arena.alloc(maxRows * config.feedForwardWidth),
    adapted: arena.alloc(maxRows * rankOf({ layers })),
    scores: arena.alloc(scoreRows(config) * (padded(config.contextLength) + 1)),
    logits: arena.alloc(maxRows * head.columns),
  }
}

/** Rows whose scores are computed at a time: few where contexts are long. */
function scoreRows({ contextLength }: ModelConfig): number {
  return Math.max(4, Math.min(32, Math.floor(65_536 / contextLength)))
}

/** Rows that one thread computes, with its memory for them. Plain data, which other threads get. */
export interface DecodePart {
  work: DecodeBuffers
  rows: readonly DecodeRow[]
}

interface Decoding extends DecodePart {
  view: KernelView
  model: ModelParameters
  /** Returns once every part has written its keys and values of a layer. Null where no sequence is divided between parts. */
  barrier: (() => void) | null
}

/**
 * Runs rows through the model and adds them to their caches; `readLogits` has the result. The result of a row is the same to the bit, whatever the
 * other sequences and however rows are divided.
 */
export function decode(decoding: Decoding): void {
  const { view, model, work, rows } = decoding
  view.integers(work.tokens, rows.length).set(rows.map(({ token }) => token))
  embed(view.kernels, model, work.tokens, rows.length, work.residual)
  for (const [index, layer] of model.layers.entries()) decodeLayer(decoding, layer, index)
  predict(decoding)
}

/** The logits of the rows that predict, in order, as views that the next step overwrites. */
export function readLogits(view: KernelView, { config, head }: ModelParameters, { work, rows }: DecodePart): Float32Array[] {
  return rows
    .filter(({ predicts }) => predicts)
    .map((_, index) => view.floats(work.logits + index * head.columns * 4, config.vocabularySize))
}

function decodeLayer(decoding: Decoding, layer: LayerParameters, index: number): void {
  const { view, model, work, rows, barrier } = decoding
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
  const normHeads = (norm: Parameter | null, x: Address, heads: number) => {
    if (norm) kernels.rmsNorm(x, norm.address, x, work.inverse, rows.length * heads, config.headWidth, config.normEpsilon)
  }
  normHeads(layer.queryNorm, work.queries, config.heads)
  normHeads(layer.keyNorm, work.keys, config.keyValueHeads)
  const runs = findRuns(rows)
  for (const run of runs) addToCache(decoding, run, index)
  barrier?.()
  for (const run of runs) attend(decoding, run, index)
  linear('o_proj', work.attended, work.residual, 1)

  norm(layer.feedForwardNorm.address)
  linear('gate_proj', work.normed, work.gate)
  linear('up_proj', work.normed, work.up)
  kernels.swiglu(work.gate, work.up, work.gate, rows.length * config.feedForwardWidth)
  linear('down_proj', work.gate, work.residual, 1)
}

/** Rows that follow each other in one sequence. */
interface Run {
  first: number
  rows: number
  cache: KeyValueCache
  position: number
}

function findRuns(rows: readonly DecodeRow[]): Run[] {
  const runs: Run[] = []
  for (const [first, { cache, position }] of rows.entries()) {
    const last = runs.at(-1)
    if (last && last.cache.block === cache.block && last.position + last.rows === position) last.rows++
    else runs.push({ first, rows: 1, cache, position })
  }
  return runs
}

/** Rotates queries and keys of a run, and adds its keys and values to its cache. */
function addToCache({ view, model, work }: Decoding, { first, rows, cache, position }: Run, layer: number): void {
  const { kernels } = view
  const { config, cosines, sines } = model
  const { heads, keyValueHeads, headWidth } = config
  const queryRow = heads * headWidth
  const keyRow = keyValueHeads * headWidth
  const keys = work.keys + first * keyRow * 4
  if (model.layers[layer]!.isRotated) {
    kernels.rotate(work.queries + first * queryRow * 4, queryRow, rows, heads, headWidth, cosines, sines, position, 1)
    kernels.rotate(keys, keyRow, rows, keyValueHeads, headWidth, cosines, sines, position, 1)
  }
  kernels.addKeys(keys, rows, position, cache.capacity, keyValueHeads, headWidth, keysOf(config, cache, layer))
  kernels.copy(work.values + first * keyRow * 4, rows * keyRow, valuesOf(config, cache, layer) + position * keyRow * 4)
}

/** Attends from the rows of a run to themselves and the tokens before them. */
function attend({ view, model, work }: Decoding, { first, rows, cache, position }: Run, layer: number): void {
  const { config } = model
  const { heads, keyValueHeads, headWidth } = config
  const offset = first * heads * headWidth * 4
  view.kernels.attentionOfRows(
    ...([work.queries + offset, keysOf(config, cache, layer), valuesOf(config, cache, layer), work.attended + offset] as const),
    ...([rows, position, cache.capacity, heads, keyValueHeads, headWidth] as const),
    ...([1 / Math.sqrt(headWidth), scoreRows(config), work.scores] as const),
  )
}

function predict({ view, model, work, rows }: Decoding): void {
  const { kernels } = view
  const { width, normEpsilon } = model.config
  const predicting = [...rows.keys()].filter((row) => rows[row]!.predicts)
  if (predicting.length === 0) return
  view.integers(work.predicting, predicting.length).set(predicting)
  kernels.gatherRows(work.residual, width, work.predicting, predicting.length, work.normed)
  kernels.rmsNorm(work.normed, model.finalNorm.address, work.normed, work.inverse, predicting.length, width, normEpsilon)
  multiply(kernels, { x: work.normed, rows: predicting.length, matrix: model.head, y: work.logits, accumulate: 0 })
}
