import { linearNames, type LinearName } from '../../../checkpoint-files/model-tensors.ts'
import type { Arena } from '../kernels/arena.ts'
import type { Address } from '../kernels/kernels.ts'
import { type ModelParameters, trainsHead } from '../model/parameters.ts'
import type { PackedRows } from './packed-rows.ts'

/** Values from the forward pass of a block that its backward pass needs. A row is a token of the batch. */
export interface LayerActivations {
  input: Address // (rows, width)
  /** 1 / RMS of each row, as of every `…Inverse`. */
  attentionInverse: Address // (rows)
  /** Queries and keys as the attention takes them: normed and rotated where the model does. */
  queries: Address // (rows, heads x headWidth)
  keys: Address // (rows, keyValueHeads x headWidth)
  values: Address // (rows, keyValueHeads x headWidth)
  /** Queries and keys before their norms, with 1 / RMS of each head; 0 where a model has no such norms. */
  rawQueries: Address // (rows, heads x headWidth)
  rawKeys: Address // (rows, keyValueHeads x headWidth)
  queryInverse: Address // (rows, heads)
  keyInverse: Address // (rows, keyValueHeads)
  /** Logarithm of the sum of exponentials of each row of attention scores. */
  logSums: Address // (rows, heads)
  attended: Address // (rows, heads x headWidth)
  /** The residual stream between attention and feed-forward. */
  middle: Address // (rows, width)
  feedForwardInverse: Address // (rows)
  gate: Address // (rows, feedForwardWidth)
  up: Address // (rows, feedForwardWidth)
  /** The input of each adapter's second matrix. */
  adapters: Record<LinearName, Address> // each (rows, rank)
}

export interface Activations {
  tokens: Address // (rows), integers
  layers: readonly LayerActivations[]
  output: Address // (rows, width)
  scoredRows: Address // (scored), integers
  targets: Address // (scored), integers
  /** The output at the scored rows, before and after the last norm. */
  scored: Address // (scored, width)
  scoredInverse: Address // (scored)
  normed: Address // (scored, width)
  /**
   * The gradient of each log-probability with respect to `normed`, computed while the probabilities are there. 0 where the output projection is trained:
   * its own gradient needs the probabilities.
   */
  headGradients: Address // (scored, width)
  /** 0 when they are not needed, or too many to keep; they are computed again then. */
  probabilities: Address // (scored, padded vocabulary)
  logProbabilities: Address // (scored)
  entropies: Address // (scored)
}

/** Floats of probabilities that are kept for the backward pass. */
const maxKeptProbabilities = 4 * 1024 * 1024

interface ActivationOptions {
  model: ModelParameters
  rows: PackedRows
  /** Whether a backward pass follows. If not, all layers share the memory of two. */
  backward: boolean
}

/** Allocates all activations of a batch. */
export function allocateActivations({ model, rows, backward }: ActivationOptions, arena: Arena): Activations {
  const { config } = model
  const count = rows.tokens.length
  const scored = rows.scoredRows.length
  const probabilities = scored * model.head.columns
  const tokens = arena.alloc(count)
  const own = () => allocateLayer(model, count, arena)
  const shared = backward ? [] : [own(), own()]
  return {
    tokens,
    layers: Array.from({ length: config.layers }, (_, layer) => shared[layer % 2] ?? own()),
    output: arena.alloc(count * config.width),
    scoredRows: arena.alloc(scored),
    targets: arena.alloc(scored),
    scored: arena.alloc(scored * config.width),
    scoredInverse: arena.alloc(scored),
    normed: arena.alloc(scored * config.width),
    headGradients: backward && !trainsHead(model) ? arena.alloc(scored * config.width) : 0,
    probabilities: backward && trainsHead(model) && probabilities <= maxKeptProbabilities ? arena.alloc(probabilities) : 0,
    logProbabilities: arena.alloc(scored),
    entropies: arena.alloc(scored),
  }
}

function allocateLayer({ config, layers }: ModelParameters, rows: number, arena: Arena): LayerActivations {
  const queries = config.heads * config.headWidth
  const keys = config.keyValueHeads * config.headWidth
  const forNorms = (floats: number) => (config.queryKeyNorm ? arena.alloc(floats) : 0)
  const rank = (name: LinearName) => layers[0]?.linears[name].adapter?.a.columns ?? 0
  return {
    input: arena.alloc(rows * config.width),
    attentionInverse: arena.alloc(rows),
    queries: arena.alloc(rows * queries),
    keys: arena.alloc(rows * keys),
    values: arena.alloc(rows * keys),
    rawQueries: forNorms(rows * queries),
    rawKeys: forNorms(rows * keys),
    queryInverse: forNorms(rows * config.heads),
    keyInverse: forNorms(rows * config.keyValueHeads),
    logSums: arena.alloc(rows * config.heads),
    attended: arena.alloc(rows * queries),
    middle: arena.alloc(rows * config.width),
    feedForwardInverse: arena.alloc(rows),
    gate: arena.alloc(rows * config.feedForwardWidth),
    up: arena.alloc(rows * config.feedForwardWidth),
    adapters: Object.fromEntries(linearNames.map((name) => [name, arena.alloc(rows * rank(name))])) as Record<LinearName, Address>,
  }
}
