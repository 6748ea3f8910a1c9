import type { Arena } from '../kernels/arena.ts'
import type { Address, Kernels } from '../kernels/kernels.ts'
import { type ModelParameters, panelWidth, rankOf, trainsHead } from '../model/parameters.ts'
import type { PackedRows } from './packed-rows.ts'

/** Memory that a pass keeps overwriting. Names that begin with `d` are gradients; without a backward pass they are 0. */
export interface Workspace {
  normed: Address // (rows, width)
  gated: Address // (rows, feedForwardWidth)
  /** Scratch of the attention kernels, twice for the backward pass. */
  attention: Address // (attentionScratch(longest sequence, headWidth))
  logits: Address // (chunkRows, padded vocabulary)
  chunkRows: number
  dResidual: Address // (rows, width)
  dNormed: Address // (rows, width)
  dAttended: Address // (rows, heads x headWidth)
  dWide: Address // (rows, feedForwardWidth)
  dGate: Address // (rows, feedForwardWidth)
  dUp: Address // (rows, feedForwardWidth)
  dQueries: Address // (rows, heads x headWidth)
  dKeys: Address // (rows, keyValueHeads x headWidth)
  dValues: Address // (rows, keyValueHeads x headWidth)
  dAdapter: Address // (max(rows, scored), rank)
  /** 0 where activations have it as `headGradients`. */
  dScored: Address // (scored, width)
  coefficients: Address // (scored)
  /** An output gradient in packed panels: the widest of a layer, or of a chunk of logits where the output projection is trained. */
  packed: Address // (rows, widest) or (chunkRows, padded vocabulary)
  /** A part of a panel of the transpose of a matrix in BF16; 0 if there is none. */
  panel: Address // (transposedColumns, 8)
  /** Receives the gradient of a norm that is not trained. */
  discarded: Address // (width, or headWidth where that is more)
}

/** Floats of logits that are computed at a time. */
const chunkFloats = 1024 * 1024

/** Rows of a chunk, at least, where the transpose of the output projection is made again for each. */
const minProjectedRows = 64

/** Columns of a matrix in BF16 that are transposed at a time, so that this part of an output gradient remains in the caches from panel to panel. */
export const transposedColumns = 1_024

export interface WorkspaceUse {
  model: ModelParameters
  rows: PackedRows
  kernels: Kernels
  backward: boolean
}

export function allocateWorkspace({ model, rows, kernels, backward }: WorkspaceUse, arena: Arena): Workspace {
  const { config } = model
  const count = rows.tokens.length
  const scored = rows.scoredRows.length
  const longest = rows.sequences.reduce((most, { length }) => Math.max(most, length), 0)
  const scratch = kernels.attentionScratch(longest, config.headWidth)
  const queries = config.heads * config.headWidth
  const keys = config.keyValueHeads * config.headWidth
  const wide = config.feedForwardWidth
  const rank = rankOf(model)
  const chunkRows = Math.min(
    scored,
    Math.max(model.head.format === 'BF16' ? minProjectedRows : 8, Math.floor(chunkFloats / model.head.columns)),
  )
  const allocForBackward = (floats: number) => (backward ? arena.alloc(floats) : 0)
  return {
    normed: arena.alloc(count * config.width),
    gated: arena.alloc(count * wide),
    attention: arena.alloc(backward ? 2 * scratch : scratch),
    logits: arena.alloc(chunkRows * model.head.columns),
    chunkRows,
    dResidual: allocForBackward(count * config.width),
    dNormed: allocForBackward(count * config.width),
    dAttended: allocForBackward(count * queries),
    dWide: allocForBackward(count * wide),
    dGate: allocForBackward(count * wide),
    dUp: allocForBackward(count * wide),
    dQueries: allocForBackward(count * queries),
    dKeys: allocForBackward(count * keys),
    dValues: allocForBackward(count * keys),
    dAdapter: allocForBackward(Math.max(count, scored) * rank),
    dScored: trainsHead(model) ? allocForBackward(scored * config.width) : 0,
    coefficients: allocForBackward(scored),
    packed: allocForBackward(
      Math.max(count * Math.max(queries, wide, config.width), trainsHead(model) ? chunkRows * model.head.columns : 0),
    ),
    panel: model.head.format === 'BF16' ? allocForBackward(transposedColumns * panelWidth) : 0,
    discarded: allocForBackward(Math.max(config.width, config.headWidth)),
  }
}
