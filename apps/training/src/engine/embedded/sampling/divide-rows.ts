import type { ModelParameters } from '../model/parameters.ts'
import type { DecodePart, DecodeRow, DecodeBuffers } from './decode.ts'

/** Rows that the kernel of products computes together. */
const tileRows = 4
/** Multiplications of weights below which another thread costs more than it saves: about 0.2 ms. */
const minMultiplications = 2_000_000

/** Rows for which another thread of the model pays off. */
export function minRowsPerPart(model: ModelParameters): number {
  return Math.max(tileRows, Math.ceil(minMultiplications / weightsPerRow(model)))
}

/** Divides the rows of a step, in order, into parts of at least `minRows`, at most one for each set of buffers. */
export function divideRows(
  rows: readonly DecodeRow[],
  { buffers, minRows }: { buffers: readonly DecodeBuffers[]; minRows: number },
): DecodePart[] {
  const count = Math.max(1, Math.min(buffers.length, Math.floor(rows.length / minRows)))
  const size = rowsPerPart(rows.length, count)
  return buffers
    .slice(0, count)
    .map((work, index) => ({ work, rows: rows.slice(index * size, (index + 1) * size) }))
    .filter((part) => part.rows.length > 0)
}

/** Rows of the largest part when so many are divided: whole tiles. */
export function rowsPerPart(rows: number, parts: number): number {
  return Math.ceil(rows / parts / tileRows) * tileRows
}

/** Whether rows of one sequence are in several parts. */
export function dividesSequence(parts: readonly DecodePart[]): boolean {
  return parts.some(({ rows }, index) => index > 0 && rows[0]!.cache.block === parts[index - 1]!.rows.at(-1)!.cache.block)
}

/** Weights that each row is multiplied with. */
function weightsPerRow({ layers, head }: ModelParameters): number {
  const ofLayers = layers.flatMap(({ linears }) => Object.values(linears)).reduce((sum, { weight }) => sum + weight.length, 0)
  return ofLayers + head.length
}
