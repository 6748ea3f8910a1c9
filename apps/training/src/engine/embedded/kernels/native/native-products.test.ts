import { describe, expect, test } from 'vitest'
import { createRandom, nextNormal } from '../../random.ts'
import { KernelMemory } from '../kernel-memory.ts'
import type { Kernels } from '../kernels.ts'
import { findGuard } from './agreement.ts'
import type { NativeProduct } from './blas-library.ts'
import { scratchBytes, withNativeProducts } from './native-products.ts'
import type { Guard } from './tiles.ts'

const random = createRandom(11n)
const within = (least: number, most: number) => least + Math.floor(random.next() * (most - least + 1))
const eights = (least: number, most: number) => 8 * within(least / 8, most / 8)

interface Operand {
  view: Float32Array
  /** Floats from row to row. */
  row: number
  isAcross: boolean
}

/** Separate memory for packed operands, as BLAS libraries have. */
const own = new KernelMemory(4 * 2 ** 20, 'plain')
const [ofA, ofB, ofC] = [own.allocate(2 ** 20), own.allocate(2 ** 20), own.allocate(2 ** 20)]

/** Copies (rows, columns) to an address, from the first row to the last or, with `isReversed` rows or columns, the other way round. */
function copyTo(
  address: number,
  { view, row, isAcross }: Operand,
  [rows, columns]: readonly [number, number],
  reversed: 'rows' | 'columns' | null,
) {
  // A view has one element, as a native library gets addresses alone.
  const source = new Float32Array(view.buffer, view.byteOffset)
  const target = own.floats(address, rows * columns)
  for (let i = 0; i < rows; i++) {
    const from = reversed === 'rows' ? rows - 1 - i : i
    for (let j = 0; j < columns; j++) {
      const at = reversed === 'columns' ? columns - 1 - j : j
      target[i * columns + j] = source[isAcross ? at * row + from : from * row + at]!
    }
  }
}

type IsBackwards = (element: { rows: number; columns: number; column: number }) => boolean

/** A library that sums as the plain kernels do, or backwards, as `isBackwards` says. */
function libraryOf(isBackwards: IsBackwards) {
  const shapes = new Set<string>()
  const product: NativeProduct = (operation, rows, columns, inner, a, aRow, b, bRow, added, c, cRow) => {
    shapes.add(`${rows} x ${columns}`)
    const [first, second] = [
      { view: a, row: aRow, isAcross: operation === 'tn' },
      { view: b, row: bRow, isAcross: operation === 'nt' },
    ]
    const [forwards, backwards] = [false, true].map((isReversed) => {
      copyTo(ofA, first, [rows, inner], isReversed ? 'columns' : null)
      copyTo(ofB, second, [inner, columns], isReversed ? 'rows' : null)
      own.kernels.matmul(ofA, inner, 1, ofB, columns, 8, ofC, columns, 8, rows, columns, inner, 0)
      return own.floats(ofC, rows * columns).slice()
    })
    const target = new Float32Array(c.buffer, c.byteOffset)
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const sum = (isBackwards({ rows, columns, column }) ? backwards : forwards)![row * columns + column]!
        target[row * cRow + column] = (added ? target[row * cRow + column]! : 0) + sum
      }
    }
  }
  return { product, shapes }
}

const likeKernels = libraryOf(() => false)
const atEdges = libraryOf(({ columns, column }) => column < 8 || column >= columns - 8)
const inNinetySix = libraryOf(({ rows }) => rows === 96)

/** The kernels with and without a library, on one memory. */
function start(product: NativeProduct, guard: Guard) {
  const memory = new KernelMemory(32 * 2 ** 20, 'plain')
  const { kernels, set } = memory
  const floats = (address: number, length: number) => memory.floats(address, length)
  const native = withNativeProducts({ product, guard }, { kernels, set, floats, scratch: memory.allocate(scratchBytes(guard)) })
  const put = (length: number) => {
    const address = memory.allocate(length * 4)
    memory.floats(address, length).set(Float32Array.from({ length }, () => nextNormal(random)))
    return address
  }
  const putHalves = (length: number) => {
    const address = memory.allocate(length * 2)
    const bits = new Uint32Array(Float32Array.from({ length }, () => nextNormal(random)).buffer)
    memory.halves(address, length).set(bits.map((each) => each >>> 16))
    return address
  }
  const bitsOf = (address: number, length: number) => new Uint32Array(memory.memory.buffer, address, length)
  /** Runs the kernels and the native products on equal targets of `length` floats. */
  function compare(length: number, run: (kernels: Kernels, target: number) => void): void {
    const [expected, actual] = [put(length), memory.allocate(length * 4)]
    bitsOf(actual, length).set(bitsOf(expected, length))
    run(kernels, expected)
    run(native, actual)
    expect(Buffer.compare(Buffer.from(bitsOf(actual, length)), Buffer.from(bitsOf(expected, length)))).toBe(0)
  }
  return { put, putHalves, compare, panel: memory.allocate(1_024 * 8 * 4) }
}

describe.each([
  ['sums as the kernels do', likeKernels, 0],
  ['sums the first and the last columns in another order', atEdges, 8],
  ['sums tiles of some sizes in another order', inNinetySix, 0],
] as const)('products of a library that %s', (_, { product, shapes }, guard) => {
  test('have the bits of the kernels, whatever their shapes', () => {
    const { put, putHalves, compare, panel } = start(product, guard)
    for (let trial = 0; trial < 3; trial++) {
      const [rows, inner, columns] = [within(24, 200), eights(64, 320), eights(64, 400)]
      for (const accumulate of [0, 1] as const) {
        const [x, dy] = [put(rows * inner), put(rows * columns)]
        const [weights, halves] = [put(inner * columns), putHalves(inner * columns)]
        compare(rows * columns, (kernels, y) =>
          kernels.matmul(x, inner, 1, weights, 8, inner * 8, y, columns, 8, rows, columns, inner, accumulate),
        )
        compare(rows * columns, (kernels, y) => kernels.multiplyBfloat16(x, rows, halves, inner, columns, y, columns, accumulate))
        compare(rows * inner, (kernels, dx) =>
          kernels.multiplyTransposedBfloat16(dy, rows, halves, inner, columns, dx, 0, inner, accumulate, 1_024, panel),
        )
        // The gradient of the weights, in packed panels.
        compare(inner * columns, (kernels, gradient) =>
          kernels.matmul(x, 1, inner, dy, 8, rows * 8, gradient, 8, inner * 8, inner, columns, rows, accumulate),
        )
      }
    }
    expect(shapes.size).toBeGreaterThan(4)
  })
})

test('the guard that a library needs is found by trying it, and how many shapes agree', () => {
  expect(findGuard(likeKernels.product, 'plain')).toEqual({ guard: 0, share: 1 })
  expect(findGuard(atEdges.product, 'plain')).toEqual({ guard: 8, share: 1 })
  expect(findGuard(inNinetySix.product, 'plain')).toEqual({ guard: 0, share: 0.75 })
  expect(findGuard(libraryOf(() => true).product, 'plain')).toMatchObject({ share: 0 })
})
