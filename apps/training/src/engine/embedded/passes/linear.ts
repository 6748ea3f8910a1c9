import type { Address, Kernels } from '../kernels/kernels.ts'
import { type LinearLayer, type ModelParameters, panelWidth, type Parameter } from '../model/parameters.ts'
import type { Work } from './work.ts'
import { transposedColumns, type Workspace } from './workspace.ts'

/** A matrix in memory: (row, column) is at `row` x rowStride + `column` x columnStride floats. */
interface StridedMatrix {
  address: Address
  rowStride: number
  columnStride: number
}

/** A matrix in panels of `panelWidth` columns. */
interface PanelMatrix {
  address: Address
  rowStride: number
  panelStride: number
}

interface Product {
  /** (rows, inner). */
  a: StridedMatrix
  /** (inner, columns). */
  b: PanelMatrix
  /** (rows, columns). */
  c: PanelMatrix
  rows: number
  columns: number
  inner: number
  /** Adds to `c` what it otherwise overwrites. */
  accumulate: 0 | 1
}

/** c = a b, or c += a b. */
function matmul(kernels: Kernels, { a, b, c, rows, columns, inner, accumulate }: Product): void {
  kernels.matmul(
    ...([a.address, a.rowStride, a.columnStride, b.address, b.rowStride, b.panelStride] as const),
    ...([c.address, c.rowStride, c.panelStride, rows, columns, inner, accumulate] as const),
  )
}

/** Rows of `width` floats one after the other, as a and as c. */
const rowsAt = (address: Address, width: number): StridedMatrix => ({ address, rowStride: width, columnStride: 1 })
const rowsTo = (address: Address, width: number): PanelMatrix => ({ address, rowStride: width, panelStride: panelWidth })
/** A matrix of so many rows in packed panels. */
const panelsOf = (address: Address, rows: number): PanelMatrix => ({ address, rowStride: panelWidth, panelStride: rows * panelWidth })

/** y = x W, or y += x W, with the whole matrix in packed panels. x is (rows, inner), y (rows, columns). */
export function multiply(kernels: Kernels, x: Address, rows: number, matrix: Parameter, y: Address, accumulate: 0 | 1): void {
  const { inner, columns, address, format } = matrix
  if (format === 'BF16') return kernels.multiplyBfloat16(x, rows, address, inner, columns, y, columns, accumulate)
  matmul(kernels, { a: rowsAt(x, inner), b: panelsOf(address, inner), c: rowsTo(y, columns), rows, columns, inner, accumulate })
}

/** dx = dy W^T, or dx += dy W^T. dy is (rows, columns), dx (rows, inner). */
export function multiplyTransposed(
  kernels: Kernels,
  {
    dy,
    rows,
    matrix,
    dx,
    accumulate,
    panel,
  }: { dy: Address; rows: number; matrix: Parameter; dx: Address; accumulate: 0 | 1; panel: Address },
): void {
  const { inner, columns, transposed, format, address } = matrix
  if (format === 'BF16') {
    const matrixAndTarget = [address, inner, columns, dx, 0, inner] as const
    return kernels.multiplyTransposedBfloat16(dy, rows, ...matrixAndTarget, accumulate, transposedColumns, panel)
  }
  const [b, c] = [panelsOf(transposed, columns), rowsTo(dx, inner)]
  matmul(kernels, { a: rowsAt(dy, columns), b, c, rows, columns: inner, inner: columns, accumulate })
}

/** The embeddings of tokens. */
export function embed(kernels: Kernels, { embedding, config }: ModelParameters, tokens: Address, count: number, out: Address): void {
  const gather = embedding.format === 'BF16' ? kernels.gatherBfloat16Columns : kernels.gatherColumns
  gather(embedding.address, config.width, tokens, count, out)
}

export interface LinearInput {
  linear: LinearLayer
  factor: number
  x: Address
  rows: number
  /** Receives factor x A, (rows, rank), which `backwardLinear` needs. */
  adapted: Address
}

export function forwardLinear(
  kernels: Kernels,
  { linear, factor, x, rows, adapted }: LinearInput,
  y: Address,
  accumulate: 0 | 1 = 0,
): void {
  multiply(kernels, x, rows, linear.weight, y, accumulate)
  if (linear.bias) kernels.addToRows(linear.bias.address, y, rows, linear.weight.columns)
  if (!linear.adapter) return
  const { a, b } = linear.adapter
  multiply(kernels, x, rows, a, adapted, 0)
  kernels.scale(adapted, rows * a.columns, factor)
  multiply(kernels, adapted, rows, b, y, 1)
}

export interface LinearGradients {
  dy: Address
  dx: Address
  accumulate: 0 | 1
  /** Start of the gradient buffer, to which those of the weights are added. */
  gradients: Address
}

/** Sets or adds to dx, and adds the gradients of the weights that are trained. Yields after each product with the weight. */
export function* backwardLinear(kernels: Kernels, input: LinearInput, to: LinearGradients, work: Workspace): Work<void> {
  const { linear, factor, x, rows, adapted } = input
  const { dy, dx, accumulate, gradients } = to
  const { weight, bias, adapter } = linear
  const { panel } = work
  multiplyTransposed(kernels, { dy, rows, matrix: weight, dx, accumulate, panel })
  yield
  if (weight.gradientOffset < 0 && !adapter) return
  if (bias && bias.gradientOffset >= 0) kernels.addRowsTo(gradients + bias.gradientOffset, dy, rows, weight.columns)
  kernels.pack(dy, weight.columns, rows, weight.columns, work.packed)
  if (weight.gradientOffset >= 0) {
    addOuter(kernels, { x, rows, packed: work.packed, matrix: weight, gradients })
    yield
  }
  if (!adapter) return
  const { a, b } = adapter
  addOuter(kernels, { x: adapted, rows, packed: work.packed, matrix: b, gradients })
  multiplyTransposed(kernels, { dy, rows, matrix: b, dx: work.dAdapter, accumulate: 0, panel })
  kernels.scale(work.dAdapter, rows * a.columns, factor)
  multiplyTransposed(kernels, { dy: work.dAdapter, rows, matrix: a, dx, accumulate: 1, panel })
  kernels.pack(work.dAdapter, a.columns, rows, a.columns, work.packed)
  addOuter(kernels, { x, rows, packed: work.packed, matrix: a, gradients })
}

interface Outer {
  /** (rows, inner). */
  x: Address
  rows: number
  /** (rows, columns) in packed panels. */
  packed: Address
  matrix: Parameter
  gradients: Address
}

/** Adds x^T dy, (inner, columns), to the gradient of a matrix. */
export function addOuter(kernels: Kernels, { x, rows, packed, matrix, gradients }: Outer): void {
  const { inner, columns, gradientOffset } = matrix
  const transposed = { address: x, rowStride: 1, columnStride: inner }
  const [b, c] = [panelsOf(packed, rows), panelsOf(gradients + gradientOffset, inner)]
  matmul(kernels, { a: transposed, b, c, rows: inner, columns, inner: rows, accumulate: 1 })
}
