import type { Area } from '../kernels/area.ts'
import type { Address, Kernels } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { PackedRows } from './packed-rows.ts'

/** Memory that a pass overwrites as it goes. Those that begin with `d` are gradients. */
export interface Workspace {
  normed: Address
  gated: Address
  attention: Address
  /** [chunkRows, padded vocabulary]. */
  logits: Address
  chunkRows: number
  dResidual: Address
  dNormed: Address
  dAttended: Address
  dWide: Address
  dGate: Address
  dUp: Address
  dQueries: Address
  dKeys: Address
  dValues: Address
  dAdapter: Address
  dScored: Address
  coefficients: Address
  packed: Address
  /** Takes gradients that nobody reads, of one vector of the width. */
  unread: Address
}

/** Floats of logits that are computed at a time. */
const chunkFloats = 1024 * 1024

export interface WorkspaceUse {
  model: ModelParameters
  rows: PackedRows
  kernels: Kernels
  backward: boolean
}

export function layOutWorkspace({ model, rows, kernels, backward }: WorkspaceUse, area: Area): Workspace {
  const { config } = model
  const count = rows.tokens.length
  const scored = rows.scoredRows.length
  const longest = rows.sequences.reduce((most, { length }) => Math.max(most, length), 0)
  const scratch = kernels.attentionScratch(longest, config.headWidth)
  const queries = config.heads * config.headWidth
  const keys = config.keyValueHeads * config.headWidth
  const wide = config.feedForwardWidth
  const rank = model.layers[0]?.linears.q_proj.adapter?.a.columns ?? 0
  const chunkRows = Math.min(scored, Math.max(8, Math.floor(chunkFloats / model.head.columns)))
  const takeForBackward = (floats: number) => (backward ? area.take(floats) : 0)
  return {
    normed: area.take(count * config.width),
    gated: area.take(count * wide),
    attention: area.take(backward ? 2 * scratch : scratch),
    logits: area.take(chunkRows * model.head.columns),
    chunkRows,
    dResidual: takeForBackward(count * config.width),
    dNormed: takeForBackward(count * config.width),
    dAttended: takeForBackward(count * queries),
    dWide: takeForBackward(count * wide),
    dGate: takeForBackward(count * wide),
    dUp: takeForBackward(count * wide),
    dQueries: takeForBackward(count * queries),
    dKeys: takeForBackward(count * keys),
    dValues: takeForBackward(count * keys),
    dAdapter: takeForBackward(Math.max(count, scored) * rank),
    dScored: takeForBackward(scored * config.width),
    coefficients: takeForBackward(scored),
    packed: takeForBackward(Math.max(count * Math.max(queries, wide, config.width), chunkRows * model.head.columns)),
    unread: takeForBackward(config.width),
  }
}
