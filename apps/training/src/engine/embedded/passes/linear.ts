import type { Address, Kernels } from '../kernels/kernels.ts'
import type { LinearLayer, Parameter } from '../model/parameters.ts'
import type { Workspace } from './workspace.ts'

/** y = x W, or y += x W, with the whole matrix in packed panels. x is [rows, inner], y [rows, columns]. */
export function multiply(kernels: Kernels, x: Address, rows: number, matrix: Parameter, y: Address, accumulate: 0 | 1): void {
  const { inner, columns, address } = matrix
  kernels.matmul(x, inner, 1, address, 8, inner * 8, y, columns, 8, rows, columns, inner, accumulate)
}

/** dx = dy W^T, or dx += dy W^T. */
function multiplyTransposed(kernels: Kernels, dy: Address, rows: number, matrix: Parameter, dx: Address, accumulate: 0 | 1): void {
  const { inner, columns, transposed } = matrix
  kernels.matmul(dy, columns, 1, transposed, 8, columns * 8, dx, inner, 8, rows, inner, columns, accumulate)
}

export interface LinearInput {
  linear: LinearLayer
  factor: number
  x: Address
  rows: number
  /** Gets factor x A, [rows, rank], which `backwardLinear` needs. */
  adapted: Address
}

export function forwardLinear(
  kernels: Kernels,
  { linear, factor, x, rows, adapted }: LinearInput,
  y: Address,
  accumulate: 0 | 1 = 0,
): void {
  multiply(kernels, x, rows, linear.weight, y, accumulate)
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
  /** Start of the area of gradients, to which those of the weights are added. */
  gradients: Address
}

/** Sets or adds to dx, and adds the gradients of the weights that are trained. */
export function backwardLinear(kernels: Kernels, input: LinearInput, to: LinearGradients, work: Workspace): void {
  const { linear, factor, x, rows, adapted } = input
  const { dy, dx, accumulate, gradients } = to
  const { weight, adapter } = linear
  multiplyTransposed(kernels, dy, rows, weight, dx, accumulate)
  if (weight.gradientOffset < 0 && !adapter) return
  kernels.pack(dy, weight.columns, rows, weight.columns, work.packed)
  if (weight.gradientOffset >= 0) addOuter(kernels, { x, rows, packed: work.packed, matrix: weight, gradients })
  if (!adapter) return
  const { a, b } = adapter
  addOuter(kernels, { x: adapted, rows, packed: work.packed, matrix: b, gradients })
  multiplyTransposed(kernels, dy, rows, b, work.dAdapter, 0)
  kernels.scale(work.dAdapter, rows * a.columns, factor)
  multiplyTransposed(kernels, work.dAdapter, rows, a, dx, 1)
  kernels.pack(work.dAdapter, a.columns, rows, a.columns, work.packed)
  addOuter(kernels, { x, rows, packed: work.packed, matrix: a, gradients })
}

interface Outer {
  /** [rows, inner]. */
  x: Address
  rows: number
  /** [rows, columns] in packed panels. */
  packed: Address
  matrix: Parameter
  gradients: Address
}

/** Adds x^T dy to the gradient of a matrix. */
export function addOuter(kernels: Kernels, { x, rows, packed, matrix, gradients }: Outer): void {
  const { inner, columns, gradientOffset } = matrix
  kernels.matmul(x, 1, inner, packed, 8, rows * 8, gradients + gradientOffset, 8, inner * 8, inner, columns, rows, 1)
}
