import type { LinearName } from '../../../checkpoint-files/model-tensors.ts'
import type { KernelView } from '../kernels/kernel-view.ts'
import type { Address } from '../kernels/kernels.ts'
import type { LayerParameters, ModelParameters, Parameter } from '../model/parameters.ts'
import type { Activations, LayerActivations } from './activations.ts'
import { blocksOfAttention } from '../blocks.ts'
import { embed, forwardLinearInBlocks, multiplyInBlocks, multiplyTransposed } from './linear.ts'
import type { PackedRows } from './packed-rows.ts'
import type { Work } from '../work.ts'
import type { Workspace } from './workspace.ts'

/** A pass over a batch of packed sequences. */
export interface Pass {
  view: KernelView
  model: ModelParameters
  rows: PackedRows
  activations: Activations
  work: Workspace
  /** Whether a backward pass uses these activations. */
  forBackward: boolean
  /** Called for some of the scored rows, whose probabilities are there until it returns. */
  onProbabilities?: (chunk: Chunk, probabilities: Address) => void
}

/** Computes log-probabilities and entropies of the scored rows into `activations`. Yields after each block, so that other work can run. */
export function* forwardPass(pass: Pass): Work<void> {
  const { view, model, rows, activations } = pass
  view.integers(activations.tokens, rows.tokens.length).set(rows.tokens)
  view.integers(activations.scoredRows, rows.scoredRows.length).set(rows.scoredRows)
  view.integers(activations.targets, rows.targets.length).set(rows.targets)
  const first = activations.layers[0]?.input ?? activations.output
  embed(view.kernels, model, activations.tokens, rows.tokens.length, first)
  for (const [index, layer] of model.layers.entries()) {
    yield* forwardLayer(pass, layer, activations.layers[index]!, activations.layers[index + 1]?.input ?? activations.output)
  }
  yield* forwardHead(pass)
}

function* forwardLayer(pass: Pass, layer: LayerParameters, activations: LayerActivations, output: Address): Work<void> {
  const { view, model, work } = pass
  const { kernels } = view
  const { config } = model
  const rows = pass.rows.tokens.length
  const floats = rows * config.width
  const linear = (name: LinearName, x: Address, y: Address, accumulate: 0 | 1 = 0) =>
    forwardLinearInBlocks(
      kernels,
      { linear: layer.linears[name], factor: model.adapterFactor, x, rows, adapted: activations.adapters[name] },
      y,
      accumulate,
    )

  kernels.rmsNorm(
    activations.input,
    layer.attentionNorm.address,
    work.normed,
    activations.attentionInverse,
    rows,
    config.width,
    config.normEpsilon,
  )
  yield* linear('q_proj', work.normed, layer.queryNorm ? activations.rawQueries : activations.queries)
  yield* linear('k_proj', work.normed, layer.keyNorm ? activations.rawKeys : activations.keys)
  yield* linear('v_proj', work.normed, activations.values)
  if (layer.queryNorm && layer.keyNorm) {
    const { heads, keyValueHeads } = config
    normHeads(pass, {
      weight: layer.queryNorm,
      heads,
      from: activations.rawQueries,
      to: activations.queries,
      inverse: activations.queryInverse,
    })
    normHeads(pass, {
      weight: layer.keyNorm,
      heads: keyValueHeads,
      from: activations.rawKeys,
      to: activations.keys,
      inverse: activations.keyInverse,
    })
  }
  yield* forwardAttention(pass, layer, activations)
  kernels.copy(activations.input, floats, activations.middle)
  yield* linear('o_proj', activations.attended, activations.middle, 1)

  kernels.rmsNorm(
    activations.middle,
    layer.feedForwardNorm.address,
    work.normed,
    activations.feedForwardInverse,
    rows,
    config.width,
    config.normEpsilon,
  )
  yield* linear('gate_proj', work.normed, activations.gate)
  yield* linear('up_proj', work.normed, activations.up)
  kernels.swiglu(activations.gate, activations.up, work.gated, rows * config.feedForwardWidth)
  kernels.copy(activations.middle, floats, output)
  yield* linear('down_proj', work.gated, output, 1)
}

interface HeadNorm {
  weight: Parameter
  heads: number
  from: Address
  to: Address
  inverse: Address
}

/** Norms each head of each row. */
function normHeads({ view, model, rows }: Pass, { weight, heads, from, to, inverse }: HeadNorm): void {
  const { headWidth, normEpsilon } = model.config
  view.kernels.rmsNorm(from, weight.address, to, inverse, rows.tokens.length * heads, headWidth, normEpsilon)
}

function* forwardAttention({ view, model, rows, work }: Pass, { isRotated }: LayerParameters, activations: LayerActivations): Work<void> {
  const { heads, keyValueHeads, headWidth } = model.config
  const queryRow = heads * headWidth
  const keyRow = keyValueHeads * headWidth
  const { kernels } = view
  for (const { start, length } of rows.sequences) {
    const queries = activations.queries + start * queryRow * 4
    const keys = activations.keys + start * keyRow * 4
    if (isRotated) {
      kernels.rotate(queries, queryRow, length, heads, headWidth, model.cosines, model.sines, 0, 1)
      kernels.rotate(keys, keyRow, length, keyValueHeads, headWidth, model.cosines, model.sines, 0, 1)
    }
    for (const { first, count } of blocksOfAttention(kernels, { length, heads, headWidth, products: 2 })) {
      kernels.attention(
        ...([
          queries,
          keys,
          activations.values + start * keyRow * 4,
          activations.attended + start * queryRow * 4,
          activations.logSums + start * heads * 4,
        ] as const),
        ...([length, heads, keyValueHeads, headWidth, 1 / Math.sqrt(headWidth), work.attention, first, count] as const),
      )
      yield
    }
  }
}

function* forwardHead(pass: Pass): Work<void> {
  const { view, model, rows, activations, work } = pass
  const { kernels } = view
  const { width, normEpsilon } = model.config
  const scored = rows.scoredRows.length
  kernels.gatherRows(activations.output, width, activations.scoredRows, scored, activations.scored)
  kernels.rmsNorm(activations.scored, model.finalNorm.address, activations.normed, activations.scoredInverse, scored, width, normEpsilon)
  const keepsGradients = pass.forBackward && activations.headGradients > 0
  if (keepsGradients) view.floats(work.coefficients, scored).fill(1)
  for (const chunk of listChunks(pass)) {
    const probabilities = yield* forwardChunk(pass, chunk)
    pass.onProbabilities?.(chunk, probabilities)
    yield
    if (keepsGradients) yield* backwardChunk(pass, { chunk, probabilities, dx: activations.headGradients })
  }
}

interface ChunkGradients {
  chunk: Chunk
  /** They are replaced by the gradients of the logits. */
  probabilities: Address
  /** Of all scored rows: (scored, width). */
  dx: Address
}

/** The gradients of log-probabilities times the workspace's coefficients, of some scored rows, with respect to the input of the output projection. */
export function* backwardChunk(
  { view, model, activations, work }: Pass,
  { chunk: { from, rows }, probabilities, dx }: ChunkGradients,
): Work<void> {
  const { kernels } = view
  const { inner, columns } = model.head
  kernels.logProbabilitiesBackward(probabilities, columns, activations.targets + from * 4, work.coefficients + from * 4, rows)
  yield
  yield* multiplyTransposed(kernels, {
    dy: probabilities,
    rows,
    matrix: model.head,
    dx: dx + from * inner * 4,
    accumulate: 0,
    panel: work.panel,
  })
}

/** Some of the scored rows. */
export interface Chunk {
  from: number
  rows: number
}

export function listChunks({ rows, work }: Pass): Chunk[] {
  const scored = rows.scoredRows.length
  const count = work.chunkRows > 0 ? Math.ceil(scored / work.chunkRows) : 0
  return Array.from({ length: count }, (_, index) => {
    const from = index * work.chunkRows
    return { from, rows: Math.min(work.chunkRows, scored - from) }
  })
}

/** Computes probabilities, log-probabilities and entropies of some scored rows. Returns where the probabilities are. */
export function* forwardChunk({ view, model, activations, work }: Pass, { from, rows }: Chunk): Work<Address> {
  const { kernels } = view
  const { width, vocabularySize } = model.config
  const { columns } = model.head
  const logits = activations.probabilities ? activations.probabilities + from * columns * 4 : work.logits
  yield* multiplyInBlocks(kernels, { x: activations.normed + from * width * 4, rows, matrix: model.head, y: logits, accumulate: 0 })
  const [targets, logProbabilities, entropies] = [activations.targets, activations.logProbabilities, activations.entropies].map(
    (start) => start + from * 4,
  )
  kernels.logProbabilities(logits, columns, vocabularySize, targets!, rows, logProbabilities!, entropies!)
  return logits
}
