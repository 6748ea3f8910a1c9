import { linearNames, type LinearName } from '../../../checkpoint-files/llama-tensors.ts'
import type { Area } from '../kernels/area.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { PackedRows } from './packed-rows.ts'

/** What the backward pass of a block needs of its forward pass, one row a token. */
export interface LayerActivations {
  input: Address
  attentionInverse: Address
  queries: Address
  keys: Address
  values: Address
  logSums: Address
  attended: Address
  /** Of the residual stream, between attention and feed-forward. */
  middle: Address
  feedForwardInverse: Address
  gate: Address
  up: Address
  /** The input of each adapter's second matrix. */
  adapters: Record<LinearName, Address>
}

export interface Activations {
  tokens: Address
  layers: readonly LayerActivations[]
  output: Address
  scoredRows: Address
  targets: Address
  /** The output at the scored rows, before and after the last norm. */
  scored: Address
  scoredInverse: Address
  normed: Address
  /** [scored rows, padded vocabulary]; 0 when they are too many to keep, and computed again. */
  probabilities: Address
  logProbabilities: Address
  entropies: Address
}

/** Floats of probabilities that are kept for the backward pass. */
const maxKeptProbabilities = 4 * 1024 * 1024

/** Places of all activations of a batch. Without `keep`, blocks share the memory of two, and there can be no backward pass. */
export function layOutActivations(model: ModelParameters, rows: PackedRows, area: Area, keep: boolean): Activations {
  const { config } = model
  const count = rows.tokens.length
  const scored = rows.scoredRows.length
  const probabilities = scored * model.head.columns
  const tokens = area.take(count)
  const own = () => layOutLayer(model, count, area)
  const shared = keep ? [] : [own(), own()]
  return {
    tokens,
    layers: Array.from({ length: config.layers }, (_, layer) => shared[layer % 2] ?? own()),
    output: area.take(count * config.width),
    scoredRows: area.take(scored),
    targets: area.take(scored),
    scored: area.take(scored * config.width),
    scoredInverse: area.take(scored),
    normed: area.take(scored * config.width),
    probabilities: keep && probabilities <= maxKeptProbabilities ? area.take(probabilities) : 0,
    logProbabilities: area.take(scored),
    entropies: area.take(scored),
  }
}

function layOutLayer({ config, layers }: ModelParameters, rows: number, area: Area): LayerActivations {
  const queries = config.heads * config.headWidth
  const keys = config.keyValueHeads * config.headWidth
  const rank = (name: LinearName) => layers[0]?.linears[name].adapter?.a.columns ?? 0
  return {
    input: area.take(rows * config.width),
    attentionInverse: area.take(rows),
    queries: area.take(rows * queries),
    keys: area.take(rows * keys),
    values: area.take(rows * keys),
    logSums: area.take(rows * config.heads),
    attended: area.take(rows * queries),
    middle: area.take(rows * config.width),
    feedForwardInverse: area.take(rows),
    gate: area.take(rows * config.feedForwardWidth),
    up: area.take(rows * config.feedForwardWidth),
    adapters: Object.fromEntries(linearNames.map((name) => [name, area.take(rows * rank(name))])) as Record<LinearName, Address>,
  }
}
